import { entryHash, type LedgerEntry } from '@parley/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createId } from '../src/id.ts';
import { deviceBody, signInAgain, signUpWithDevice } from './harness/accounts.ts';
import { addition, nextStatement, revocation } from './harness/device-list.ts';
import { makeDeviceKeys } from './harness/keys.ts';
import {
  type Agent,
  addAgent,
  addPerson,
  type Device,
  type EntryInput,
  makeEntry,
  makeManifest,
  makeOldEntry,
} from './harness/relations.ts';
import { type Reply, startTestServer, type TestServer } from './harness/server.ts';

// RL-10, EE-18: whose entries count is what the device list says.

const MANIFEST = makeManifest({ 'filesystem:read': 'low', 'notes:write': 'high' });
const GRANTED = ['filesystem:read', 'notes:write'];

type Owner = Awaited<ReturnType<typeof signUpWithDevice>>;

let server: TestServer;
let agent: Agent;
let ada: Owner;
let relationId: string;
let conversationId: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());
beforeEach(async () => {
  agent = await addAgent(server, await addPerson(server), MANIFEST);
  ada = await signUpWithDevice(server);
  [relationId, conversationId] = [createId(), createId()];
});

const deviceOf = ({ deviceId, keys }: Owner): Device => ({ id: deviceId, privateKey: keys.identity.privateKey });
const inputOf = (): EntryInput => ({
  relationId,
  conversationId,
  person: { accountId: ada.id, token: ada.token },
  agent,
  device: deviceOf(ada),
  manifest: MANIFEST,
  version: 1,
  scopes: GRANTED,
});
const entry = (input: Partial<EntryInput> = {}) => makeEntry({ ...inputOf(), ...input });
const establish = (ledger_entry: LedgerEntry) =>
  server.call('POST', '/h2a/relations', {
    token: ada.token,
    body: { agent_id: agent.id, granted_scopes: GRANTED, ledger_entry },
  });
const change = (granted_scopes: readonly string[], ledger_entry: LedgerEntry) =>
  server.call('PATCH', `/h2a/relations/${relationId}`, { token: ada.token, body: { granted_scopes, ledger_entry } });
const problemOf = ({ status, body }: Reply) => [status, body.error?.code, body.error?.params?.problem];
async function append(statement: Owner['list']['statements'][number]): Promise<void> {
  const reply = await server.call('POST', '/devices/list', { token: ada.token, body: { statement } });
  expect(reply.status).toBe(201);
  ada.list.statements.push(statement);
}

async function addSecond({ listed = true } = {}): Promise<Device> {
  const { token } = await signInAgain(server, ada);
  const keys = makeDeviceKeys();
  const { body } = await server.call('POST', '/devices', { token, body: deviceBody(keys) });
  if (listed) await append(nextStatement(ada.list, addition({ id: body.device_id, keys })));
  return { id: body.device_id, privateKey: keys.identity.privateKey };
}

describe('EE-18 who signs a ledger', () => {
  it('EE-19 the ids of the entry are those of the relation, also where the request names none', async () => {
    const { status, body } = await establish(entry());
    expect([status, body]).toMatchObject([201, { relation_id: relationId, conversation_id: conversationId }]);
  });

  it('EE-18 every listed device signs; one that waits does not, and one that is revoked no more', async () => {
    const [second, waiting] = [await addSecond(), await addSecond({ listed: false })];
    expect(problemOf(await establish(entry({ device: waiting })))).toEqual([422, 'LEDGER_INVALID', 'device']);
    const first = entry({ device: second });
    expect((await establish(first)).status).toBe(201);
    const known = { kind: 'ledger' as const, id: relationId, length: 1, head: entryHash(first) };
    await append(nextStatement(ada.list, revocation(second.id, [known])));
    const late = entry({ device: second, after: first, scopes: [] });
    expect(problemOf(await change([], late))).toEqual([422, 'LEDGER_INVALID', 'device']);
    expect((await change([], entry({ after: first, scopes: [] }))).status).toBe(200);
  });

  it('EE-18 a device that the server cut off signs no more, though the list has it', async () => {
    const second = await addSecond();
    await server.call('DELETE', `/devices/${second.id}`, { token: ada.token });
    expect(problemOf(await establish(entry({ device: second })))).toEqual([422, 'LEDGER_INVALID', 'device']);
  });

  it('EE-18 attack: after what a revoked device signed beyond the named head, the chain follows what counts', async () => {
    const first = entry();
    await establish(first);
    const second = await addSecond();
    // The thief agrees to version 2 of the manifest; its owner knows only of the first entry.
    const richer = makeManifest({ 'filesystem:read': 'low', 'notes:write': 'high', 'camera:use': 'high' });
    const published = await server.call('PATCH', `/agents/${agent.id}`, {
      token: agent.owner.token,
      body: { capability_manifest: richer },
    });
    expect(published.status).toBe(200);
    const stolen = entry({ device: second, after: first, manifest: richer, version: 2, scopes: ['camera:use'] });
    expect((await change(['camera:use'], stolen)).status).toBe(200);
    const known = { kind: 'ledger' as const, id: relationId, length: 1, head: entryHash(first) };
    await append(nextStatement(ada.list, revocation(second.id, [known])));
    const answer = entry({ after: stolen, manifest: richer, version: 2, scopes: GRANTED });
    expect((await change(GRANTED, answer)).body).toMatchObject({
      signed: true,
      ledger_length: 3,
      granted_scopes: GRANTED,
    });
  });

  it('EE-18 a relation that only a void entry began can still be signed, and revoked', async () => {
    const second = await addSecond();
    const first = entry({ device: second });
    await establish(first);
    await append(nextStatement(ada.list, revocation(second.id)));
    const anew = entry({ after: first });
    const path = `/h2a/relations/${relationId}/ledger`;
    const signed = await server.call('POST', path, { token: ada.token, body: { ledger_entry: anew } });
    expect(signed.body).toMatchObject({ signed: true, ledger_length: 2 });
    const last = entry({ after: anew, scopes: [], changes: { action: 'revoke' } });
    const body = { ledger_entry: last };
    const ended = await server.call('DELETE', `/h2a/relations/${relationId}`, { token: ada.token, body });
    expect(ended.status).toBe(204);
  });

  it('EE-19 an entry of before there was a list, by a device that was revoked before, stops nothing', async () => {
    const gone = await addSecond({ listed: false });
    const { db } = server.platform;
    await db
      .updateTable('devices')
      .set({ certificate: '{}', revoked_at: new Date() })
      .where('id', '=', gone.id)
      .execute();
    const body = {
      agent_id: agent.id,
      granted_scopes: GRANTED,
      relation_id: relationId,
      conversation_id: conversationId,
    };
    await server.call('POST', '/h2a/relations', { token: ada.token, body });
    const old = makeOldEntry({ ...inputOf(), device: gone });
    const row = { relation_id: relationId, seq: 1, hash: entryHash(old), entry: JSON.stringify(old) };
    await db.insertInto('ledger_entries').values(row).execute();
    const signed = { ledger_length: 1, ledger_head: entryHash(old), signed: true };
    await db.updateTable('h2a_relations').set(signed).where('id', '=', relationId).execute();
    const anew = { ledger_entry: entry({ after: old }) };
    const reply = await server.call('POST', `/h2a/relations/${relationId}/ledger`, { token: ada.token, body: anew });
    expect(reply.body).toMatchObject({ signed: true, ledger_length: 2 });
  });
});
