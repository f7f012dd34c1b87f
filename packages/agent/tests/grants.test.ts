import { generateEd25519, type KeyPair, signEntry, toBase64Url } from '@parley/e2ee';
import { nodeCrypto } from '@parley/e2ee/node';
import { entryHash, type LedgerEntry } from '@parley/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { AGENT, CONVERSATION, DEVICE, Fake, GROUP, OTHER_PERSON, PERSON, RELATION } from './harness/fake.ts';

const READ = { id: 'filesystem:read', sensitivity: 'medium' } as const;
const NOTIFY = { id: 'notification:send', sensitivity: 'low' } as const;

describe('RL-10 an agent believes the signed chain only', () => {
  let fake: Fake;
  let device: KeyPair;
  let entries: LedgerEntry[];
  let pending: string[];

  const append = (scopes: LedgerEntry['scopes'], fields: Partial<LedgerEntry> = {}, key = device): LedgerEntry => {
    const last = entries.at(-1);
    const entry = signEntry(
      nodeCrypto,
      {
        version: 1,
        relation_id: RELATION,
        seq: (last?.seq ?? 0) + 1,
        prev: last === undefined ? null : entryHash(last),
        action: last === undefined ? 'grant' : 'change',
        agent_id: AGENT,
        account_id: PERSON,
        device_id: DEVICE,
        scopes,
        manifest_hash: 'a'.repeat(64),
        manifest_version: 1,
        created_at: '2026-05-15T10:00:00.000Z',
        ...fields,
      },
      key,
    );
    entries.push(entry);
    return entry;
  };
  const problem = async () => {
    const error = await fake.agent.grants(CONVERSATION).catch((thrown) => thrown);
    return error.params.problem;
  };

  beforeEach(async () => {
    fake = await Fake.start();
    device = generateEd25519(nodeCrypto);
    entries = [];
    pending = [];
    fake.deviceKeys.set(`${PERSON}/${DEVICE}`, toBase64Url(device.publicKey));
    fake.serve('/h2a/relations/:relation_id/ledger', ({ query }) => {
      const after = Number((query as { after: string }).after);
      return { entries: entries.slice(after, after + 2), length: entries.length, head: null };
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
    append([READ], {}, generateEd25519(nodeCrypto));
    expect(await problem()).toBe('signature');
  });

  it('EE-14 attack: an entry by a ghost device', async () => {
    const ghost = generateEd25519(nodeCrypto);
    append([READ], { device_id: AGENT }, ghost);
    expect(await problem()).toBe('device');
  });

  it('RL-10 attack: the server rolls the ledger back, even across a restart', async () => {
    append([NOTIFY, READ]);
    append([NOTIFY]);
    await fake.agent.grants(CONVERSATION);
    entries.pop();
    expect(await problem()).toBe('shortened');
    const kept = await fake.store.list('agent/');
    const serve = fake.routes;
    fake = await Fake.start();
    for (const [path, answer] of serve) fake.serve(path, answer);
    fake.deviceKeys.set(`${PERSON}/${DEVICE}`, toBase64Url(device.publicKey));
    await fake.store.write(new Map(kept));
    expect(await problem()).toBe('shortened');
  });

  it('RL-10 attack: the chain of another person or agent', async () => {
    append([READ], { account_id: OTHER_PERSON });
    expect(await problem()).toBe('party');
    entries = [];
    append([READ], { agent_id: DEVICE });
    expect(await problem()).toBe('party');
  });

  it('RL-10 a group has no grants', async () => {
    await expect(fake.agent.grants(GROUP)).rejects.toThrow(TypeError);
  });
});
