import { createDeferred } from '@parley/base';
import { generateEd25519, toBase64Url } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { SignedAccount, SignedLedger, type TestDevice } from '@parley/testkit/account';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  AGENT,
  AGENT_KEY,
  CONVERSATION,
  DEVICE,
  Fake,
  GROUP,
  OTHER_CONVERSATION,
  OTHER_PERSON,
  PERSON,
  RELATION,
} from './harness/fake.ts';

const READ = { id: 'filesystem:read', sensitivity: 'medium' } as const;
const NOTIFY = { id: 'notification:send', sensitivity: 'low' } as const;

describe('RL-10 an agent believes the signed chain only', () => {
  let fake: Fake;
  let device: TestDevice;
  let ledger: SignedLedger;
  let pending: string[];

  const append: (...[scopes, fields, signer]: [Scopes, Fields?, TestDevice?]) => void = (
    scopes,
    fields = {},
    signer = device,
  ) => void ledger.sign(signer, scopes, fields);
  type Scopes = Parameters<SignedLedger['sign']>[1];
  type Fields = Parameters<SignedLedger['sign']>[2];
  const stranger = () => ({ ...device, identity: generateEd25519(nodeCrypto) });
  const problem = async () => {
    const error = await fake.agent.grants(CONVERSATION).catch((thrown) => thrown);
    return error.params.problem;
  };
  const list = (revoked = {}) =>
    fake.signers.set(`${PERSON}/${DEVICE}`, { key: toBase64Url(device.identity.publicKey), ...revoked });

  beforeEach(async () => {
    fake = await Fake.start();
    device = SignedAccount.makeDevice({ deviceId: DEVICE });
    ledger = new SignedLedger({
      accountId: PERSON,
      agentId: AGENT,
      agentKey: AGENT_KEY,
      relationId: RELATION,
      conversationId: CONVERSATION,
    });
    pending = [];
    list();
    fake.serve('/h2a/relations/:relation_id/ledger', ({ query }) => {
      const { entries, head } = ledger;
      const after = Number((query as { after: string }).after);
      return { entries: entries.slice(after, after + 2), length: entries.length, head };
    });
    fake.serve('/h2a/relations/:relation_id', () => ({ pending_scopes: pending }));
  });

  it('RL-10 folds what the person’s devices signed, page by page', async () => {
    expect((await fake.agent.grants(CONVERSATION)).scopes).toEqual([]);
    append([READ]);
    append([READ, NOTIFY]);
    append([NOTIFY]);
    append([READ, NOTIFY]);
    append([NOTIFY]);
    expect(await fake.agent.grants(CONVERSATION)).toMatchObject({ scopes: [NOTIFY], revoked: false, length: 5 });
  });

  it('RL-9 scopes that wait for an answer do not count', async () => {
    append([READ, NOTIFY]);
    pending = ['filesystem:read'];
    expect((await fake.agent.grants(CONVERSATION)).scopes).toEqual([NOTIFY]);
  });

  it('RL-10 attack: the server adds an entry of its own', async () => {
    append([NOTIFY]);
    append([READ], {}, stranger());
    expect(await problem()).toBe('signature');
  });

  it('EE-18 attack: an entry by a ghost device', async () => {
    append([READ], {}, SignedAccount.makeDevice());
    expect(await problem()).toBe('device');
  });

  it('RL-10 attack: the server rolls the ledger back, even across a restart', async () => {
    append([NOTIFY, READ]);
    append([NOTIFY]);
    await fake.agent.grants(CONVERSATION);
    ledger.entries = ledger.entries.slice(0, 1);
    expect(await problem()).toBe('shortened');
    const kept = await fake.store.list('agent/');
    const serve = fake.routes;
    fake = await Fake.start();
    for (const [path, answer] of serve) fake.serve(path, answer);
    list();
    await fake.store.write(new Map(kept));
    expect(await problem()).toBe('shortened');
  });

  it('RL-10 attack: the chain of another person or agent', async () => {
    append([READ], { account_id: OTHER_PERSON });
    expect(await problem()).toBe('party');
    ledger.entries = [];
    append([READ], { agent_id: DEVICE });
    expect(await problem()).toBe('party');
  });

  it('EE-19 attack: what the person has granted in another conversation, or to another key of the agent', async () => {
    for (const fields of [{ conversation_id: OTHER_CONVERSATION }, { agent_key: `${'B'.repeat(42)}A` }]) {
      ledger.entries = [];
      await fake.store.write(new Map([[`agent/ledger/${RELATION}`, null]]));
      append([READ], fields);
      expect((await fake.agent.grants(CONVERSATION)).scopes).toEqual([]);
    }
  });

  it('EE-18 attack: an entry that a revoked device has signed beyond what its revocation names', async () => {
    append([NOTIFY]);
    const { head } = ledger;
    append([NOTIFY, READ]);
    list({ named: (length: number, name: string) => length === 1 && name === head });
    expect(await fake.agent.grants(CONVERSATION)).toMatchObject({ scopes: [NOTIFY], length: 2 });
  });

  it('EE-20 attack: the row of the relation names another person, agent and more scopes; it may only take away', async () => {
    append([NOTIFY]);
    fake.serve('/h2a/relations/:relation_id', () => ({
      user_id: OTHER_PERSON,
      agent_id: DEVICE,
      conversation_id: OTHER_CONVERSATION,
      granted_scopes: ['filesystem:read', 'notification:send'],
      pending_scopes: pending,
    }));
    expect((await fake.agent.grants(CONVERSATION)).scopes).toEqual([NOTIFY]);
    pending = ['notification:send'];
    expect((await fake.agent.grants(CONVERSATION)).scopes).toEqual([]);
    // Who is in the conversation comes from the messenger, which pins it, and from no row.
    expect(new Set(fake.calls)).toEqual(new Set(['/h2a/relations/:relation_id/ledger', '/h2a/relations/:relation_id']));
  });

  it('RL-10 attack: the server answers an older reading last, from before a revocation', async () => {
    append([READ]);
    const before = { entries: ledger.entries, length: 1, head: null };
    const held = createDeferred<unknown>();
    const now = fake.routes.get('/h2a/relations/:relation_id/ledger')!;
    fake.serve('/h2a/relations/:relation_id/ledger', () => held.promise);
    const first = fake.agent.grants(CONVERSATION);
    await new Promise(setImmediate);
    append([], { action: 'revoke' });
    fake.serve('/h2a/relations/:relation_id/ledger', now);
    const second = fake.agent.grants(CONVERSATION);
    await new Promise(setImmediate);
    held.resolve(before);
    await Promise.all([first, second]);
    expect(await second).toMatchObject({ revoked: true });
    ledger.entries = before.entries;
    expect(await problem()).toBe('shortened');
  });

  it('RL-10 a group has no grants', async () => {
    await expect(fake.agent.grants(GROUP)).rejects.toThrow(TypeError);
  });
});
