import { type BoundEntry, entryHash, foldLedger, type LedgerEntry } from '@parley/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createId } from '../src/id.ts';
import { limitBudgets } from './harness/budgets.ts';
import {
  type Agent,
  addAgent,
  addDevice,
  addPerson,
  type Device,
  type EntryInput,
  makeEntry,
  makeManifest,
  makeOldEntry,
  type Person,
  publish,
  setIdentityKey,
} from './harness/relations.ts';
import { type Reply, startTestServer, type TestServer } from './harness/server.ts';

const MANIFEST = makeManifest({ 'filesystem:read': 'low', 'notes:write': 'high' });
const GRANTED = ['filesystem:read', 'notes:write'];

let server: TestServer;
let agent: Agent;
let person: Person;
let device: Device;
let relationId: string;
let conversationId: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());
beforeEach(async () => {
  agent = await addAgent(server, await addPerson(server), MANIFEST);
  person = await addPerson(server);
  device = await addDevice(server, person);
  relationId = createId();
  conversationId = createId();
});

const subject = () => ({ relationId, conversationId, person, agent, device, manifest: MANIFEST, version: 1 });
const entry = (input: Partial<EntryInput> = {}): BoundEntry => makeEntry({ ...subject(), scopes: GRANTED, ...input });
const establish = (ledger_entry?: LedgerEntry, granted_scopes: readonly string[] = GRANTED) =>
  server.call('POST', '/h2a/relations', {
    token: person.token,
    body: {
      agent_id: agent.id,
      granted_scopes,
      relation_id: relationId,
      conversation_id: conversationId,
      ...(ledger_entry ? { ledger_entry } : {}),
    },
  });
const change = (granted_scopes: readonly string[], ledger_entry?: LedgerEntry) =>
  server.call('PATCH', `/h2a/relations/${relationId}`, {
    token: person.token,
    body: { granted_scopes, ...(ledger_entry ? { ledger_entry } : {}) },
  });
const append = (ledger_entry: LedgerEntry) =>
  server.call('POST', `/h2a/relations/${relationId}/ledger`, { token: person.token, body: { ledger_entry } });
const read = async (suffix = '', token = person.token) =>
  (await server.call('GET', `/h2a/relations/${relationId}${suffix}`, { token })).body;
const codeOf = ({ status, body }: Reply) => [status, body.error?.code, body.error?.params?.problem];

describe('RL-10 a signed relation', () => {
  it('RL-10 grant, change and revocation form a chain that the agent can fold', async () => {
    const first = entry();
    expect((await establish(first)).status).toBe(201);
    expect(await read()).toMatchObject({ signed: true, ledger_length: 1, ledger_head: entryHash(first) });
    const second = entry({ after: first, scopes: ['notes:write'] });
    expect((await change(['notes:write'], second)).body).toMatchObject({ signed: true, ledger_length: 2 });
    const last = entry({ after: second, scopes: [], changes: { action: 'revoke' } });
    const ended = await server.call('DELETE', `/h2a/relations/${relationId}`, {
      token: person.token,
      body: { ledger_entry: last },
    });
    expect(ended.status).toBe(204);
    const { entries, length, head } = await read('/ledger', agent.token);
    expect({ entries, length, head }).toEqual({ entries: [first, second, last], length: 3, head: entryHash(last) });
    const folded = foldLedger(entries, { relationId, signerOf: () => ({ key: 'key' }), verify: () => true });
    expect(folded).toMatchObject({ ok: true, revoked: true, scopes: [] });
    expect((await read('/ledger?after=2')).entries).toEqual([last]);
  });

  it('OP-1 OP-2 attack: the same is signed without end: without room only what takes something back, and the end', async () => {
    const first = entry();
    expect((await establish(first)).status).toBe(201);
    const again = entry({ after: first });
    expect((await append(again)).status).toBe(201);
    await limitBudgets(server, person.accountId, { bytes_stored: 0 });
    const full = [403, 'QUOTA_EXCEEDED', undefined];
    expect(codeOf(await append(entry({ after: again })))).toEqual(full);
    expect(codeOf(await change(GRANTED, entry({ after: again })))).toEqual(full);
    const less = GRANTED.slice(1);
    expect((await change(less)).status).toBe(200);
    const signed = entry({ after: again, scopes: less });
    expect((await append(signed)).status).toBe(201);
    expect(codeOf(await append(entry({ after: signed, scopes: less })))).toEqual(full);
    expect((await server.call('DELETE', `/h2a/relations/${relationId}`, { token: person.token })).status).toBe(204);
    const last = entry({ after: signed, scopes: [], changes: { action: 'revoke' } });
    expect((await append(last)).body).toMatchObject({ status: 'ended', signed: true });
  });

  it('RL-10 an entry records the level that clients use, not the one a manifest plays down', async () => {
    expect(entry().scopes[0]).toEqual({ id: 'filesystem:read', sensitivity: 'medium' });
    expect((await establish(entry())).status).toBe(201);
  });

  it('RL-10 a plain call is stored unsigned, and a device can sign it later', async () => {
    await establish();
    expect(await read()).toMatchObject({ granted_scopes: GRANTED, signed: false, ledger_length: 0 });
    const first = entry();
    expect((await append(first)).status).toBe(201);
    expect(await read()).toMatchObject({ signed: true, ledger_head: entryHash(first) });
    expect((await change(['notes:write'])).body).toMatchObject({ signed: false, ledger_length: 1 });
    expect((await append(entry({ after: first, scopes: ['notes:write'] }))).body).toMatchObject({ signed: true });
  });

  it('RL-10 a relation that was ended by a plain call can be revoked by signature afterwards', async () => {
    const first = entry();
    await establish(first);
    await server.call('DELETE', `/h2a/relations/${relationId}`, { token: person.token });
    expect(await read()).toMatchObject({ status: 'ended', signed: false });
    expect(codeOf(await append(entry({ after: first })))).toEqual([422, 'LEDGER_INVALID', 'action']);
    const last = entry({ after: first, scopes: [], changes: { action: 'revoke' } });
    expect((await append(last)).body).toMatchObject({ status: 'ended', signed: true, ledger_length: 2 });
    expect(codeOf(await append(entry({ after: last })))[1]).toBe('LEDGER_INVALID');
  });

  it('RL-10 an agent without a manifest has a chain too', async () => {
    agent = await addAgent(server, agent.owner);
    const bare = entry({ scopes: [], changes: { manifest_hash: null, manifest_version: 0 } });
    expect((await establish(bare, [])).status).toBe(201);
  });
});

describe('RL-10 attacks on the ledger', () => {
  it('RL-10 a fork: of two entries on the same head the second is refused and told the head', async () => {
    const first = entry();
    await establish(first);
    const left = entry({ after: first, scopes: ['notes:write'] });
    await change(['notes:write'], left);
    const { status, body } = await change([], entry({ after: first, scopes: [] }));
    expect(status).toBe(409);
    expect(body).toMatchObject({ head: entryHash(left), length: 2, error: { code: 'LEDGER_CONFLICT' } });
    expect(await read()).toMatchObject({ granted_scopes: ['notes:write'], ledger_length: 2 });
  });

  it('RL-10 a race: of twenty parallel changes on the same head one wins', async () => {
    const first = entry();
    await establish(first);
    const attempts = Array.from({ length: 20 }, (_, index) => {
      const created_at = `2026-01-02T03:04:05.${100 + index}Z`;
      return entry({ after: first, scopes: [], changes: { created_at } });
    });
    const replies = await Promise.all(attempts.map((attempt) => change([], attempt)));
    const won = replies.findIndex((reply) => reply.status === 200);
    expect(replies.filter((reply) => reply.status === 409)).toHaveLength(19);
    for (const { status, body } of replies) if (status === 409) expect(body.head).toBe(entryHash(attempts[won]!));
    expect((await read('/ledger')).entries).toEqual([first, attempts[won]]);
  });

  it('RL-10 replay: an old entry, once more', async () => {
    const first = entry();
    await establish(first);
    const second = entry({ after: first, scopes: [] });
    await change([], second);
    expect(codeOf(await change(GRANTED, first))[1]).toBe('LEDGER_CONFLICT');
    expect(codeOf(await change([], second))[1]).toBe('LEDGER_CONFLICT');
    expect(await read()).toMatchObject({ granted_scopes: [], ledger_length: 2 });
  });

  it('RL-10 a forged signature', async () => {
    const forged = { ...entry(), created_at: '2026-01-02T03:04:06.000Z' };
    expect(codeOf(await establish(forged))).toEqual([422, 'LEDGER_INVALID', 'signature']);
    expect((await server.call('GET', `/h2a/relations/${relationId}`, { token: person.token })).status).toBe(404);
  });

  it('RL-10 an entry for another relation, agent or account', async () => {
    expect(codeOf(await establish(entry({ relationId: createId() })))[2]).toBe('relation');
    expect(codeOf(await establish(entry({ changes: { agent_id: createId() } })))[2]).toBe('party');
    expect(codeOf(await establish(entry({ changes: { account_id: createId() } })))[2]).toBe('party');
  });

  it('EE-19 attack: an entry for another conversation, or for another key of the agent', async () => {
    expect(codeOf(await establish(entry({ conversationId: createId() })))).toEqual([422, 'LEDGER_INVALID', 'party']);
    const other = { ...agent, identityKey: device.id.replaceAll('-', '').padEnd(43, 'A') };
    expect(codeOf(await establish(entry({ agent: other })))).toEqual([422, 'LEDGER_INVALID', 'party']);
    expect((await server.call('GET', `/h2a/relations/${relationId}`, { token: person.token })).status).toBe(404);
  });

  it('EE-19 an entry for an agent that has no key yet is refused: it would name nobody', async () => {
    await server.platform.db.updateTable('agents').set({ identity_key: null }).where('id', '=', agent.id).execute();
    expect(codeOf(await establish(entry()))[2]).toBe('party');
  });

  it('EE-18 attack: a device that is revoked, not listed, someone else’s or unknown signs', async () => {
    const stranger = await addPerson(server);
    const devices = [
      await addDevice(server, person, { revoked: true }),
      await addDevice(server, person, { listed: false }),
      await addDevice(server, stranger),
      { ...device, id: createId() },
    ];
    for (const other of devices) {
      expect(codeOf(await establish(entry({ device: other })))).toEqual([422, 'LEDGER_INVALID', 'device']);
    }
  });

  it('RL-10 an entry that grants more, less or other than the request says', async () => {
    for (const scopes of [['notes:write'], [], [...GRANTED, 'camera:use'], [...GRANTED, 'notes:write']]) {
      expect(codeOf(await establish(entry({ scopes })))).toEqual([422, 'LEDGER_INVALID', 'scopes']);
    }
    expect(codeOf(await establish(entry({ scopes: ['camera:use'] }), ['camera:use']))[1]).toBe('SCOPE_UNKNOWN');
  });

  it('RL-10 a lowered sensitivity, which would disarm a prompt', async () => {
    const [first, second] = entry().scopes;
    for (const scopes of [
      [{ ...first!, sensitivity: 'low' as const }, second!],
      [first!, { ...second!, sensitivity: 'medium' as const }],
    ]) {
      expect(codeOf(await establish(entry({ changes: { scopes } })))[2]).toBe('scopes');
    }
  });

  it('RL-10 an entry for a manifest that is not the current one, or never was', async () => {
    await publish(server, agent, makeManifest({ 'filesystem:read': 'low', 'notes:write': 'high', 'x:y': 'low' }));
    expect(codeOf(await establish(entry()))[1]).toBe('MANIFEST_CHANGED');
    const wrong = entry({ manifest: makeManifest({ 'filesystem:read': 'medium', 'notes:write': 'high' }) });
    expect(codeOf(await establish(wrong))[1]).toBe('MANIFEST_CHANGED');
  });

  it('RL-10 the right hash under another version', async () => {
    expect(codeOf(await establish(entry({ version: 2 })))[2]).toBe('manifest');
  });

  it('RL-10 a revocation in the place of a grant, and a grant in the place of a revocation', async () => {
    const revoke = entry({ scopes: [], changes: { action: 'revoke' } });
    expect(codeOf(await establish(revoke, []))[2]).toBe('action');
    const first = entry();
    await establish(first);
    const ended = await server.call('DELETE', `/h2a/relations/${relationId}`, {
      token: person.token,
      body: { ledger_entry: entry({ after: first, scopes: [] }) },
    });
    expect(codeOf(ended)[2]).toBe('action');
    expect(await read()).toMatchObject({ status: 'active' });
  });

  it('RL-10 fields that do not belong in an entry', async () => {
    const padded = { ...entry(), note: 'signed?' } as LedgerEntry;
    expect((await establish(padded)).status).toBe(400);
    expect((await establish({ ...entry(), version: 3 } as unknown as LedgerEntry)).status).toBe(400);
    expect((await establish({ ...entry(), version: 1 } as unknown as LedgerEntry)).status).toBe(400);
  });

  it('RL-10 flooding: a chain that all must read has an end; it can always be revoked', async () => {
    await establish();
    const chain: LedgerEntry[] = [];
    for (let n = 0; n < 2_000; n++) chain.push(entry({ after: chain.at(-1) }));
    const rows = chain.map((one) => ({
      relation_id: relationId,
      seq: one.seq,
      hash: entryHash(one),
      entry: JSON.stringify(one),
    }));
    const { db } = server.platform;
    await db.insertInto('ledger_entries').values(rows).execute();
    const after = chain.at(-1)!;
    const end = { ledger_length: chain.length, ledger_head: entryHash(after), signed: true };
    await db.updateTable('h2a_relations').set(end).where('id', '=', relationId).execute();
    expect(codeOf(await append(entry({ after }))).slice(0, 2)).toEqual([409, 'LIMIT_REACHED']);
    const body = { ledger_entry: entry({ after, scopes: [], changes: { action: 'revoke' } }) };
    const ended = await server.call('DELETE', `/h2a/relations/${relationId}`, { token: person.token, body });
    expect(ended.status).toBe(204);
  });

  it('RL-10 only the person of the relation appends', async () => {
    await establish();
    const body = { ledger_entry: entry() };
    const path = `/h2a/relations/${relationId}/ledger`;
    const stranger = await addPerson(server);
    expect((await server.call('POST', path, { token: stranger.token, body })).status).toBe(404);
    expect((await server.call('POST', path, { token: agent.token, body })).status).toBe(403);
    expect((await server.call('POST', path, { body })).status).toBe(401);
  });
});

describe('EE-19 entries of the form of before', () => {
  /** A relation as an older version of the server left it: active and signed, by an entry of the old form. */
  async function establishOld(): Promise<LedgerEntry> {
    expect((await establish()).status).toBe(201);
    const old = makeOldEntry({ ...subject(), scopes: GRANTED });
    const { db } = server.platform;
    const row = { relation_id: relationId, seq: 1, hash: entryHash(old), entry: JSON.stringify(old) };
    await db.insertInto('ledger_entries').values(row).execute();
    const signed = { ledger_length: 1, ledger_head: entryHash(old), signed: true };
    await db.updateTable('h2a_relations').set(signed).where('id', '=', relationId).execute();
    return old;
  }

  it('EE-19 attack: nobody appends one any more, neither first nor later', async () => {
    const old = makeOldEntry({ ...subject(), scopes: GRANTED });
    expect(codeOf(await establish(old))).toEqual([422, 'LEDGER_INVALID', 'version']);
    const first = await establishOld();
    const second = makeOldEntry({ ...subject(), scopes: GRANTED, after: first });
    expect(codeOf(await append(second))).toEqual([422, 'LEDGER_INVALID', 'version']);
    expect(codeOf(await change([], makeOldEntry({ ...subject(), scopes: [], after: first })))[2]).toBe('version');
  });

  it('EE-19 what an old entry grants is signed anew, though the relation was signed already', async () => {
    const old = await establishOld();
    expect(await read()).toMatchObject({ signed: true, ledger_length: 1 });
    const anew = entry({ after: old });
    expect((await append(anew)).body).toMatchObject({ signed: true, ledger_length: 2, granted_scopes: GRANTED });
    expect((await read('/ledger')).entries).toEqual([old, anew]);
    expect(codeOf(await append(entry({ after: anew, scopes: [] })))[2]).toBe('scopes');
  });

  it('EE-19 an old relation is ended by an entry of the new form', async () => {
    const old = await establishOld();
    const last = entry({ after: old, scopes: [], changes: { action: 'revoke' } });
    const body = { ledger_entry: last };
    expect((await server.call('DELETE', `/h2a/relations/${relationId}`, { token: person.token, body })).status).toBe(
      204,
    );
  });
});

describe('EE-19 an agent with another key', () => {
  it('EE-19 nothing is granted to the key of before; who takes everything back need not know the new one', async () => {
    const first = entry();
    await establish(first);
    const renewed = { ...agent, identityKey: `${'B'.repeat(42)}A` };
    await setIdentityKey(server, renewed);
    expect(codeOf(await change(GRANTED, entry({ after: first })))[2]).toBe('party');
    const foreign = { ...agent, identityKey: `${'C'.repeat(42)}A` };
    const revoke = { after: first, scopes: [], changes: { action: 'revoke' as const } };
    const end = (ledger_entry: LedgerEntry) =>
      server.call('DELETE', `/h2a/relations/${relationId}`, { token: person.token, body: { ledger_entry } });
    expect(codeOf(await end(entry({ ...revoke, agent: foreign })))[2]).toBe('party');
    expect((await end(entry(revoke))).status).toBe(204);
  });

  it('EE-19 the new key is signed like a change', async () => {
    const first = entry();
    await establish(first);
    agent = { ...agent, identityKey: `${'B'.repeat(42)}A` };
    await setIdentityKey(server, agent);
    expect((await append(entry({ after: first }))).body).toMatchObject({ signed: true, ledger_length: 2 });
  });
});
