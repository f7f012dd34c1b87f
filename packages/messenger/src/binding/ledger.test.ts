import { chainVerifier, generateEd25519, toBase64Url } from '@parley/e2ee';
import { nodeCrypto as crypto } from '@parley/e2ee/node';
import {
  type BoundEntry,
  entryHash,
  foldDeviceList,
  type LedgerEntry,
  type LedgerScope,
  listedSigner,
  readLedger,
} from '@parley/protocol';
import { newTimedId, SignedAccount, SignedLedger } from '@parley/testkit/account';
import { beforeEach, describe, expect, it } from 'vitest';
import { Bench } from '../../tests/binding/bench.ts';
import type { Trust } from '../types.ts';
import { fetchLedger, isAbout, readMarkedLedger, verifyLedger } from './ledger.ts';

const READ = { id: 'filesystem:read', sensitivity: 'medium' } as const;
const NOTIFY = { id: 'notification:send', sensitivity: 'low' } as const;
const [OTHER, AGENT] = [newTimedId(), newTimedId()];
const agentKey = toBase64Url(generateEd25519(crypto).publicKey);
const [laptop, phone, ghost] = [0, 1, 2].map(() => SignedAccount.makeDevice()) as [Device, Device, Device];
type Device = ReturnType<typeof SignedAccount.makeDevice>;

let account: SignedAccount;
let ledger: SignedLedger;
let trust: Pick<Trust, 'signer'>;
beforeEach(() => {
  account = new SignedAccount();
  account.create(laptop);
  account.add(phone);
  ledger = new SignedLedger({ accountId: account.accountId, agentId: AGENT, agentKey });
  trust = {
    signer: async (accountId, deviceId, chain) => {
      if (accountId !== account.accountId) return undefined;
      const list = foldDeviceList(account.statements, { accountId, verify: chainVerifier(crypto) });
      return list.ok ? listedSigner(list, deviceId, chain) : undefined;
    },
  };
});

const grant = (count: number, scopes: LedgerScope[] = [READ]) => {
  for (let made = 0; made < count; made++) ledger.sign(laptop, scopes);
  return ledger.entries;
};

interface Page {
  readonly entries: readonly LedgerEntry[];
  readonly length: number;
}

/** A server that gives two entries a page, or whatever it is told to. */
function serve(answer: (after: number, asked: number) => Page) {
  let asked = 0;
  const bench = new Bench().serve(readLedger, ({ after }) => ({ head: null, ...answer(after, asked++) }));
  return { ...bench.deps, trust };
}
const honest = (entries: readonly LedgerEntry[]) =>
  serve((after) => ({ entries: entries.slice(after, after + 2), length: entries.length }));
const problemOf = async (reading: ReturnType<typeof fetchLedger>) => {
  const read = await reading;
  return read.ok ? undefined : read.problem;
};

describe('RL-10 the verified ledger', () => {
  it('RL-10 is read page by page, and on from what was verified before', async () => {
    grant(4);
    ledger.sign(phone, [NOTIFY]);
    const { entries } = ledger;
    expect(await fetchLedger(honest(entries), ledger)).toMatchObject({
      ok: true,
      length: 5,
      scopes: [NOTIFY],
      entries,
    });
    const asked: number[] = [];
    const deps = serve((after) => {
      asked.push(after);
      return { entries: entries.slice(after), length: 5 };
    });
    expect(await fetchLedger(deps, ledger, { entries: entries.slice(0, 3) })).toMatchObject({ ok: true, entries });
    expect(asked).toEqual([3]);
  });

  it('RL-10 attack: the server shows fewer entries, or another last one, than were seen before', async () => {
    const rewritten = grant(3);
    ledger.entries = rewritten.slice(0, 2);
    ledger.sign(laptop, [], { action: 'revoke' });
    const { entries } = ledger;
    const mark = { length: 3, head: entryHash(entries[2]!) };
    expect(await problemOf(fetchLedger(honest(entries.slice(0, 2)), ledger, { mark }))).toBe('shortened');
    expect(await problemOf(fetchLedger(honest(entries.slice(0, 2)), ledger, { entries }))).toBe('shortened');
    expect(await problemOf(fetchLedger(honest(rewritten), ledger, { mark }))).toBe('rewritten');
  });

  it('RL-10 attack: a page that shrinks while the ledger is read hides its last entries', async () => {
    grant(3);
    ledger.sign(laptop, [], { action: 'revoke' });
    const { entries } = ledger;
    const shrinking = serve((after, asked) => ({
      entries: entries.slice(after, Math.min(after + 2, 3)),
      length: 4 - asked,
    }));
    expect(await problemOf(fetchLedger(shrinking, ledger))).toBe('incomplete');
    const empty = serve((after, asked) => ({ entries: entries.slice(after, 2), length: asked === 0 ? 4 : 2 }));
    expect(await problemOf(fetchLedger(empty, ledger))).toBe('incomplete');
  });

  it('RL-10 attack: the server says that there are more entries than it gives', async () => {
    const entries = grant(2);
    const deps = serve((after) => ({ entries: entries.slice(after), length: 3 }));
    expect(await fetchLedger(deps, ledger)).toEqual({ ok: false, problem: 'incomplete', seq: 3 });
  });

  it('RL-10 attack: the server invents entries without end', async () => {
    const [entry] = grant(1);
    const deps = serve((after) => ({ entries: new Array(10_000).fill(entry), length: after + 20_000 }));
    expect(await problemOf(fetchLedger(deps, ledger))).toBe('incomplete');
  });

  it('RL-10 attack: the ledger of another agent, account or relation', async () => {
    const verify = (fields: Partial<BoundEntry>, about = {}) => {
      ledger.entries = [];
      ledger.sign(laptop, [READ], fields);
      const owner = { relationId: ledger.relationId, agentId: AGENT, accountId: account.accountId, ...about };
      return problemOf(verifyLedger({ crypto, trust }, owner, { entries: ledger.entries }));
    };
    expect(await verify({})).toBeUndefined();
    expect(await verify({ agent_id: OTHER })).toBe('party');
    expect(await verify({ account_id: OTHER })).toBe('party');
    expect(await verify({}, { relationId: OTHER })).toBe('relation');
  });

  it('EE-18 attack: an entry signed by a device that is not listed voids the ledger', async () => {
    ledger.sign(ghost, [READ]);
    expect(await problemOf(verifyLedger({ crypto, trust }, ledger, { entries: ledger.entries }))).toBe('device');
  });

  it('EE-18 attack: an entry of a revoked device beyond what its revocation names gives nothing', async () => {
    grant(1, [NOTIFY]);
    account.revoke(phone, [{ kind: 'ledger', id: ledger.relationId, length: 1, head: ledger.head! }]);
    ledger.sign(phone, [READ, NOTIFY], { created_at: '2026-01-01T00:00:00.000Z' });
    const read = await fetchLedger(honest(ledger.entries), ledger);
    expect(read).toMatchObject({ ok: true, length: 2, scopes: [NOTIFY] });
  });

  it('RL-10 attack: an entry of the server’s own, or one that it changed', async () => {
    grant(1);
    ledger.sign({ ...laptop, identity: generateEd25519(crypto) }, [READ]);
    expect(await problemOf(fetchLedger(honest(ledger.entries), ledger))).toBe('signature');
    const altered = [{ ...ledger.entries[0]!, scopes: [NOTIFY] }];
    expect(await problemOf(fetchLedger(honest(altered), ledger))).toBe('signature');
  });

  it('RL-10 attack: the server rolls the ledger back across a restart; the mark on disk tells', async () => {
    const entries = grant(3);
    const { store } = new Bench().deps;
    const read = (shown: readonly LedgerEntry[]) =>
      readMarkedLedger({ ...honest(shown), store, markKey: 'agent/ledger/1' }, ledger);
    const mark = async () => JSON.parse((await store.get('agent/ledger/1'))!);
    expect(await read(entries)).toMatchObject({ length: 3 });
    expect(await mark()).toEqual({ length: 3, head: entryHash(entries[2]!) });
    await expect(read(entries.slice(0, 2))).rejects.toMatchObject({
      code: 'LEDGER_BROKEN',
      params: { problem: 'shortened', seq: 3 },
    });
    expect(await mark()).toMatchObject({ length: 3 });
  });
});

describe('EE-19 the subject of an entry', () => {
  const read = (expected: object = {}) =>
    readMarkedLedger(
      { ...honest(ledger.entries), store: new Bench().deps.store, markKey: 'm' },
      { ...subjectOf(), ...expected },
    );
  const subjectOf = () => {
    const { relationId, conversationId, agentId, accountId } = ledger;
    return { relationId, conversationId, agentId, accountId, agentKey };
  };

  it('EE-19 is all of relation, conversation, person, agent and the agent’s key', async () => {
    grant(1);
    expect(await read()).toMatchObject({ scopes: [READ], subject: subjectOf() });
    const subject = subjectOf();
    for (const part of Object.keys(subject) as (keyof typeof subject)[]) {
      expect(isAbout({ subject }, { ...subject, [part]: OTHER }), part).toBe(false);
    }
    expect(isAbout({ subject }, subject)).toBe(true);
    expect(isAbout({ subject: undefined }, subject)).toBe(false);
  });

  it('EE-19 attack: what was granted in another conversation, or to another key of the agent, is not granted here', async () => {
    grant(1);
    expect(await read({ conversationId: OTHER })).toMatchObject({ scopes: [] });
    expect(await read({ agentKey: toBase64Url(generateEd25519(crypto).publicKey) })).toMatchObject({ scopes: [] });
  });

  it('EE-19 an entry of the old form grants nothing until it is signed anew', async () => {
    ledger.signOld(laptop, [READ]);
    expect(await read()).toMatchObject({ length: 1, scopes: [], subject: undefined });
    ledger.sign(laptop, [READ]);
    expect(await read()).toMatchObject({ length: 2, scopes: [READ] });
    // Back to the old form leads no way.
    ledger.signOld(laptop, [READ, NOTIFY]);
    await expect(read()).rejects.toMatchObject({ params: { problem: 'version' } });
  });
});
