import { compileCheck, hashManifest, type Json, readSchema } from '@parley/documents';
import { EVENTS, type EventType } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createId } from '../src/id.ts';
import { endRelationsOfAccount } from '../src/relations/end.ts';
import { type Agent, addAgent, addPerson, eventsOf, makeManifest, type Person, publish } from './harness/relations.ts';
import { startTestServer, type TestServer } from './harness/server.ts';

const MANIFEST = makeManifest(
  { 'filesystem:read': 'medium', 'notes:write': 'high' },
  { read_file: { scope: 'filesystem:read', properties: { path: { type: 'string' } } } },
);
const HASH = hashManifest(MANIFEST as Json);

let server: TestServer;
let owner: Person;
let agent: Agent;
beforeAll(async () => {
  server = await startTestServer();
  owner = await addPerson(server);
  agent = await addAgent(server, owner, MANIFEST);
});
afterAll(() => server.drop());

const establish = (person: Person, body: object = {}) =>
  server.call('POST', '/h2a/relations', {
    token: person.token,
    body: { agent_id: agent.id, granted_scopes: ['filesystem:read'], ...body },
  });
const change = (person: Person, id: string, body: object) =>
  server.call('PATCH', `/h2a/relations/${id}`, { token: person.token, body });

describe('RL-6 adding an agent', () => {
  it('RL-6 answers with the relation and its conversation, and nothing else', async () => {
    const person = await addPerson(server);
    const { status, body } = await establish(person);
    expect(status).toBe(201);
    expect(body).toEqual({
      relation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      conversation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      agent_id: agent.id,
      granted_scopes: ['filesystem:read'],
      capability_manifest_version: 1,
      capability_manifest_hash: HASH,
    });
    const members = await server.platform.db
      .selectFrom('members')
      .select(['member_kind', 'member_id', 'role'])
      .where('conversation_id', '=', body.conversation_id)
      .orderBy('member_kind')
      .execute();
    expect(members).toEqual([
      { member_kind: 'agent', member_id: agent.id, role: 'member' },
      { member_kind: 'human', member_id: person.accountId, role: 'owner' },
    ]);
  });

  it('RL-6 refuses a scope that is not in the manifest, by name', async () => {
    const person = await addPerson(server);
    const { status, body } = await establish(person, { granted_scopes: ['filesystem:read', 'camera:use'] });
    expect(status).toBe(422);
    expect(body).toMatchObject({
      scopes: ['camera:use'],
      error: { code: 'SCOPE_UNKNOWN', params: { scope: 'camera:use' } },
    });
    expect(await eventsOf(server, 'human', person.accountId)).toEqual([]);
  });

  it('RL-6 binds consent to the text that was shown', async () => {
    const person = await addPerson(server);
    const { status, body } = await establish(person, { manifest_hash: 'a'.repeat(64) });
    expect(status).toBe(409);
    expect(body).toMatchObject({ capability_manifest_hash: HASH, error: { code: 'MANIFEST_CHANGED' } });
    expect((await establish(person, { manifest_hash: HASH })).status).toBe(201);
  });

  it('RL-6 CM-5 a required tool cannot be left out when adding, but later', async () => {
    const tools = { read_file: { scope: 'filesystem:read', required: true } };
    const strict = await addAgent(server, owner, makeManifest({ 'filesystem:read': 'medium', 'x:y': 'low' }, tools));
    const person = await addPerson(server);
    const refused = await establish(person, { agent_id: strict.id, granted_scopes: ['x:y'] });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ scopes: ['filesystem:read'], error: { code: 'SCOPE_REQUIRED' } });
    const { body } = await establish(person, { agent_id: strict.id });
    expect((await change(person, body.relation_id, { granted_scopes: [] })).status).toBe(200);
  });

  it('RL-6 an agent without a manifest can be added, with nothing to grant', async () => {
    const bare = await addAgent(server, owner);
    const person = await addPerson(server);
    const { body } = await establish(person, { agent_id: bare.id, granted_scopes: [] });
    expect(body).toMatchObject({ capability_manifest_version: 0, capability_manifest_hash: null });
    await publish(server, bare, MANIFEST);
    const told = await eventsOf(server, 'human', person.accountId);
    expect(told.at(-1)).toMatchObject({
      type: 'h2a.reauth_required',
      payload: { scopes_requiring_reauth: ['filesystem:read', 'notes:write'] },
    });
  });

  it('RL-6 of twenty parallel attempts to add the same agent one succeeds, the others learn its id', async () => {
    const person = await addPerson(server);
    const replies = await Promise.all(Array.from({ length: 20 }, () => establish(person)));
    const made = replies.filter((reply) => reply.status === 201);
    expect(made).toHaveLength(1);
    const id = made[0]!.body.relation_id;
    for (const { status, body } of replies.filter((reply) => reply !== made[0])) {
      expect({ status, error: body.error }).toMatchObject({
        status: 409,
        error: { code: 'RELATION_EXISTS', params: { relation_id: id } },
      });
    }
  });

  it('RL-6 the client may choose both ids, but none that is taken', async () => {
    const ids = { relation_id: createId(), conversation_id: createId() };
    const person = await addPerson(server);
    expect((await establish(person, ids)).body).toMatchObject(ids);
    for (const [name, value] of Object.entries(ids)) {
      const taken = await establish(await addPerson(server), { [name]: value });
      expect([taken.status, taken.body.error.code]).toEqual([409, 'ID_TAKEN']);
      const weak = await establish(await addPerson(server), { [name]: '00000000-0000-4000-8000-000000000000' });
      expect(weak.status).toBe(400);
    }
    // A lost reply is asked for again: the relation is named, as ever.
    const again = await establish(person, ids);
    expect(again.body.error).toMatchObject({ code: 'RELATION_EXISTS', params: { relation_id: ids.relation_id } });
  });

  it('RL-6 attack: the id of a foreign conversation makes nobody a member of it', async () => {
    const { body } = await establish(await addPerson(server));
    const eve = await addPerson(server);
    expect((await establish(eve, { conversation_id: body.conversation_id })).body.error.code).toBe('ID_TAKEN');
    const path = `/conversations/${body.conversation_id}`;
    expect((await server.call('GET', path, { token: eve.token })).status).toBe(404);
  });

  it('RL-6 of many requests with the same ids at once one makes the relation', async () => {
    const person = await addPerson(server);
    const ids = { relation_id: createId(), conversation_id: createId() };
    const replies = await Promise.all(Array.from({ length: 8 }, () => establish(person, ids)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    const refused = replies.filter(({ status }) => status !== 201);
    expect(new Set(refused.map(({ body }) => body.error.code))).toEqual(new Set(['RELATION_EXISTS']));
  });

  it('RL-6 private, deleted and unknown agents do not exist, a suspended one says so', async () => {
    const person = await addPerson(server);
    const hidden = await addAgent(server, owner, MANIFEST);
    const set = (values: object) =>
      server.platform.db.updateTable('agents').set(values).where('id', '=', hidden.id).execute();
    const attempt = async (who: Person) => (await establish(who, { agent_id: hidden.id })).status;
    await set({ visibility: 'private' });
    expect(await attempt(person)).toBe(404);
    expect(await attempt(owner)).toBe(201);
    await set({ visibility: 'public', status: 'banned' });
    expect(await attempt(person)).toBe(404);
    await set({ status: 'deleted' });
    expect(await attempt(person)).toBe(404);
    await set({ status: 'suspended' });
    expect(await attempt(person)).toBe(403);
    expect((await establish(person, { agent_id: createId() })).status).toBe(404);
  });
});

describe('RL-7 one’s own relations', () => {
  it('RL-7 lists them newest first, page by page, without those that ended', async () => {
    const person = await addPerson(server);
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) {
      const another = await addAgent(server, owner, MANIFEST);
      server.clock.advance(10);
      ids.unshift((await establish(person, { agent_id: another.id })).body.relation_id);
    }
    await server.call('DELETE', `/h2a/relations/${ids[1]}`, { token: person.token });
    const page = (query: string) => server.call('GET', `/h2a/relations${query}`, { token: person.token });
    const first = (await page('?limit=2')).body;
    expect(first.relations.map((relation: { relation_id: string }) => relation.relation_id)).toEqual([ids[0], ids[2]]);
    const second = (await page(`?limit=2&cursor=${first.next_cursor}`)).body;
    expect(second).toMatchObject({ relations: [{ relation_id: ids[3] }], next_cursor: null });
    expect(second.relations[0]).toMatchObject({
      agent_name: 'DemoBot',
      user_id: person.accountId,
      status: 'active',
      granted_scopes: ['filesystem:read'],
      pending_scopes: [],
      capability_manifest_version: 1,
      current_manifest_hash: HASH,
      signed: false,
      ledger_length: 0,
      ledger_head: null,
      ended_at: null,
    });
  });

  it('RL-7 grants change at any time, and the agent is told', async () => {
    const person = await addPerson(server);
    const { body } = await establish(person);
    const changed = await change(person, body.relation_id, { granted_scopes: ['notes:write'] });
    expect(changed.body).toMatchObject({ granted_scopes: ['notes:write'], signed: false });
    const told = await eventsOf(server, 'agent', agent.id);
    expect(told.at(-1)).toMatchObject({
      type: 'agent.capability_changed',
      payload: {
        relation_id: body.relation_id,
        granted_scopes: ['notes:write'],
        capability_manifest_version: 1,
        capability_manifest_hash: HASH,
        answer: 'changed',
      },
    });
    expect((await change(person, body.relation_id, { granted_scopes: ['camera:use'] })).status).toBe(422);
    const stale = await change(person, body.relation_id, { granted_scopes: [], manifest_hash: 'b'.repeat(64) });
    expect(stale.body.error.code).toBe('MANIFEST_CHANGED');
  });

  it('RL-7 ending it takes everything back and puts the agent out of the conversation', async () => {
    const person = await addPerson(server);
    const { body } = await establish(person);
    const path = `/h2a/relations/${body.relation_id}`;
    expect((await server.call('DELETE', path, { token: person.token })).status).toBe(204);
    expect((await server.call('DELETE', path, { token: person.token })).status).toBe(204);
    const { body: ended } = await server.call('GET', path, { token: person.token });
    expect(ended).toMatchObject({ status: 'ended', granted_scopes: [], ended_at: expect.any(String) });
    const left = await server.platform.db
      .selectFrom('members')
      .select('left_at')
      .where('conversation_id', '=', body.conversation_id)
      .where('member_kind', '=', 'agent')
      .executeTakeFirstOrThrow();
    expect(left.left_at).not.toBeNull();
    expect((await change(person, body.relation_id, { granted_scopes: [] })).body.error.code).toBe('RELATION_ENDED');
    const again = await establish(person);
    expect(again.status).toBe(201);
    expect(again.body.conversation_id).not.toBe(body.conversation_id);
  });

  it('RL-10 whoever is in the conversation finds the relation it belongs to', async () => {
    const person = await addPerson(server);
    const { body } = await establish(person);
    const path = `/conversations/${body.conversation_id}`;
    for (const token of [person.token, agent.token]) {
      expect((await server.call('GET', path, { token })).body.relation_id).toBe(body.relation_id);
    }
  });

  it('RL-7 strangers, other agents and the owner of the agent see nothing, the agent itself may only read', async () => {
    const person = await addPerson(server);
    const { body } = await establish(person);
    const path = `/h2a/relations/${body.relation_id}`;
    const other = await addAgent(server, owner, MANIFEST);
    const stranger = await addPerson(server);
    const statuses = async (token?: string) => {
      const options = token === undefined ? {} : { token };
      return [
        (await server.call('GET', path, options)).status,
        (await server.call('GET', `${path}/ledger`, options)).status,
        (await server.call('PATCH', path, { ...options, body: { granted_scopes: [] } })).status,
        (await server.call('DELETE', path, options)).status,
      ];
    };
    expect(await statuses()).toEqual([401, 401, 401, 401]);
    expect(await statuses(stranger.token)).toEqual([404, 404, 404, 404]);
    expect(await statuses(owner.token)).toEqual([404, 404, 404, 404]);
    expect(await statuses(other.token)).toEqual([404, 404, 404, 404]);
    expect(await statuses(agent.token)).toEqual([200, 200, 403, 403]);
    expect((await server.call('GET', '/h2a/relations', { token: agent.token })).status).toBe(403);
    const untouched = await server.call('GET', path, { token: person.token });
    expect(untouched.body).toMatchObject({ status: 'active', granted_scopes: ['filesystem:read'] });
  });
});

describe('RL-11 events of relations', () => {
  it('RL-11 establishing and ending are told to both sides', async () => {
    const person = await addPerson(server);
    const { body } = await establish(person);
    await server.call('DELETE', `/h2a/relations/${body.relation_id}`, { token: person.token });
    const mine = await eventsOf(server, 'human', person.accountId);
    expect(mine.map((event) => event.type)).toEqual(['relation.established', 'relation.revoked']);
    const theirs = (await eventsOf(server, 'agent', agent.id)).filter(
      (event) => event.payload.relation_id === body.relation_id,
    );
    expect(theirs).toEqual(mine);
    expect(mine[1]!.payload).toMatchObject({ user_id: person.accountId, reason: 'user' });
  });

  it('RL-11 suspending, resuming and deleting the agent are told to everyone who added it', async () => {
    const paused = await addAgent(server, owner, MANIFEST);
    const people = [await addPerson(server), await addPerson(server)];
    for (const person of people) await establish(person, { agent_id: paused.id });
    const statuses = async () =>
      (
        await server.platform.db
          .selectFrom('h2a_relations')
          .select('status')
          .where('agent_id', '=', paused.id)
          .execute()
      ).map((row) => row.status);
    await server.call('POST', `/agents/${paused.id}/suspend`, { token: owner.token });
    expect(await statuses()).toEqual(['suspended', 'suspended']);
    await server.call('POST', `/agents/${paused.id}/resume`, { token: owner.token });
    expect(await statuses()).toEqual(['active', 'active']);
    await server.call('DELETE', `/agents/${paused.id}`, { token: owner.token });
    expect(await statuses()).toEqual(['ended', 'ended']);
    for (const person of people) {
      const told = await eventsOf(server, 'human', person.accountId);
      expect(told.map((event) => event.type)).toEqual([
        'relation.established',
        'relation.suspended',
        'relation.restored',
        'relation.revoked',
      ]);
    }
    const agentTold = (await eventsOf(server, 'agent', paused.id)).slice(2);
    expect(agentTold.map((event) => [event.type, event.payload.relations])).toEqual([
      ['relation.suspended', 2],
      ['relation.restored', 2],
      ['relation.revoked', 2],
    ]);
  });

  it('RL-11 the end of an account ends its relations and tells their agents', async () => {
    const person = await addPerson(server);
    const { body } = await establish(person);
    const { platform } = server;
    const wake = await platform.db
      .transaction()
      .execute((trx) => endRelationsOfAccount(trx, platform, person.accountId));
    wake();
    const told = await eventsOf(server, 'agent', agent.id);
    expect(told.at(-1)).toMatchObject({
      type: 'relation.revoked',
      payload: { relation_id: body.relation_id, user_id: person.accountId, reason: 'account' },
    });
    const read = await server.call('GET', `/h2a/relations/${body.relation_id}`, { token: agent.token });
    expect(read.body).toMatchObject({ status: 'ended', granted_scopes: [] });
  });

  it('RL-11 every event that was stored is as the list of events says', async () => {
    const rows = await server.platform.db.selectFrom('events').select(['type', 'payload']).execute();
    expect(rows.length).toBeGreaterThan(20);
    for (const { type, payload } of rows) {
      const { root } = readSchema(JSON.parse(JSON.stringify(EVENTS[type as EventType])));
      expect({ type, findings: compileCheck(root!)(payload).findings }).toEqual({ type, findings: [] });
    }
  });
});
