import { generateEd25519, type KeyPair, signEntry, toBase64Url } from '@parley/e2ee';
import { nodeCrypto as crypto } from '@parley/e2ee/node';
import { entryHash, type LedgerEntry } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import type { Api } from '../api/api.ts';
import { createMemoryStore } from '../stores/memory.ts';
import { fetchLedger, readMarkedLedger, verifyLedger } from './verified-ledger.ts';

const id = (n: number) => `018f0000-0000-7000-8000-0000000000${String(n).padStart(2, '0')}`;
const [RELATION, AGENT, PERSON, DEVICE, OTHER] = [id(1), id(2), id(3), id(4), id(5)] as const;
const subject = { relationId: RELATION, agentId: AGENT, accountId: PERSON };
const device = generateEd25519(crypto);
const trust = {
  deviceKey: async (account: string, name: string) =>
    account === PERSON && name === DEVICE ? toBase64Url(device.publicKey) : undefined,
};
const READ = { id: 'filesystem:read', sensitivity: 'medium' } as const;
const NOTIFY = { id: 'notification:send', sensitivity: 'low' } as const;

function append(entries: readonly LedgerEntry[], fields: Partial<LedgerEntry> = {}, key: KeyPair = device) {
  const last = entries.at(-1);
  const entry = signEntry(
    crypto,
    {
      version: 1,
      relation_id: RELATION,
      seq: entries.length + 1,
      prev: last === undefined ? null : entryHash(last),
      action: last === undefined ? 'grant' : 'change',
      agent_id: AGENT,
      account_id: PERSON,
      device_id: DEVICE,
      scopes: [READ],
      manifest_hash: 'a'.repeat(64),
      manifest_version: 1,
      created_at: '2026-05-15T10:00:00.000Z',
      ...fields,
    },
    key,
  );
  return [...entries, entry];
}

const make = (count: number) => Array.from({ length: count }).reduce<LedgerEntry[]>((all) => append(all), []);

interface Page {
  readonly entries: readonly LedgerEntry[];
  readonly length: number;
}

/** A server that gives two entries a page, or whatever it is told to. */
function serve(answer: (after: number, asked: number) => Page) {
  let asked = 0;
  const call = (async (_: unknown, { query }: { query: { after: string } }) => ({
    head: null,
    ...answer(Number(query.after), asked++),
  })) as unknown as Api['call'];
  return { api: { call }, crypto, trust };
}
const honest = (entries: readonly LedgerEntry[]) =>
  serve((after) => ({ entries: entries.slice(after, after + 2), length: entries.length }));
const problemOf = async (reading: ReturnType<typeof fetchLedger>) => {
  const ledger = await reading;
  return ledger.ok ? undefined : ledger.problem;
};

describe('RL-10 the verified ledger', () => {
  it('RL-10 is read page by page, and on from what was verified before', async () => {
    const entries = append(make(4), { scopes: [NOTIFY] });
    expect(await fetchLedger(honest(entries), subject)).toMatchObject({
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
    expect(await fetchLedger(deps, subject, { entries: entries.slice(0, 3) })).toMatchObject({ ok: true, entries });
    expect(asked).toEqual([3]);
  });

  it('RL-10 attack: the server shows fewer entries, or another last one, than were seen before', async () => {
    const entries = append(make(2), { action: 'revoke', scopes: [] });
    const mark = { length: 3, head: entryHash(entries[2]!) };
    expect(await problemOf(fetchLedger(honest(entries.slice(0, 2)), subject, { mark }))).toBe('shortened');
    expect(await problemOf(fetchLedger(honest(entries.slice(0, 2)), subject, { entries }))).toBe('shortened');
    expect(await problemOf(fetchLedger(honest(make(3)), subject, { mark }))).toBe('rewritten');
  });

  it('RL-10 attack: a page that shrinks while the ledger is read hides its last entries', async () => {
    const entries = append(make(3), { action: 'revoke', scopes: [] });
    const shrinking = serve((after, asked) => ({
      entries: entries.slice(after, Math.min(after + 2, 3)),
      length: 4 - asked,
    }));
    expect(await problemOf(fetchLedger(shrinking, subject))).toBe('incomplete');
    const empty = serve((after, asked) => ({ entries: entries.slice(after, 2), length: asked === 0 ? 4 : 2 }));
    expect(await problemOf(fetchLedger(empty, subject))).toBe('incomplete');
  });

  it('RL-10 attack: the server says that there are more entries than it gives', async () => {
    const entries = make(2);
    const deps = serve((after) => ({ entries: entries.slice(after), length: 3 }));
    expect(await fetchLedger(deps, subject)).toEqual({ ok: false, problem: 'incomplete', seq: 3 });
  });

  it('RL-10 attack: the server invents entries without end', async () => {
    const [entry] = make(1);
    const deps = serve((after) => ({ entries: new Array(10_000).fill(entry), length: after + 20_000 }));
    expect(await problemOf(fetchLedger(deps, subject))).toBe('incomplete');
  });

  it('RL-10 attack: the ledger of another agent, account or relation', async () => {
    const verify = (entries: LedgerEntry[], about = subject) =>
      problemOf(verifyLedger({ crypto, trust }, about, { entries }));
    expect(await verify(append([], { agent_id: OTHER }))).toBe('party');
    expect(await verify(append([], { account_id: OTHER }))).toBe('party');
    expect(await verify(make(1), { ...subject, relationId: OTHER })).toBe('relation');
  });

  it('EE-14 attack: an entry signed by a device that nobody certified voids the ledger', async () => {
    const entries = append([], { device_id: OTHER }, generateEd25519(crypto));
    expect(await problemOf(verifyLedger({ crypto, trust }, subject, { entries }))).toBe('device');
  });

  it('RL-10 attack: an entry of the server’s own, or one that it changed', async () => {
    const forged = append(make(1), {}, generateEd25519(crypto));
    expect(await problemOf(fetchLedger(honest(forged), subject))).toBe('signature');
    const altered = [{ ...make(1)[0]!, scopes: [NOTIFY] }];
    expect(await problemOf(fetchLedger(honest(altered), subject))).toBe('signature');
  });

  it('RL-10 attack: the server rolls the ledger back across a restart; the mark on disk tells', async () => {
    const disk = new Map<string, string>();
    const entries = make(3);
    const read = (shown: readonly LedgerEntry[]) =>
      readMarkedLedger({ ...honest(shown), store: createMemoryStore(disk), markKey: 'agent/ledger/1' }, subject);
    expect(await read(entries)).toMatchObject({ length: 3 });
    expect(JSON.parse(disk.get('agent/ledger/1')!)).toEqual({ length: 3, head: entryHash(entries[2]!) });
    await expect(read(entries.slice(0, 2))).rejects.toMatchObject({
      code: 'LEDGER_BROKEN',
      params: { problem: 'shortened', seq: 3 },
    });
    expect(JSON.parse(disk.get('agent/ledger/1')!)).toMatchObject({ length: 3 });
  });
});
