import { connect as connectRaw } from 'node:net';
import { LINES_TYPE } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { streamEvents } from '../../src/agents/watch/event-stream.ts';
import { befriend } from '../harness/contacts.ts';
import { type Agent, addAgent, addPerson, makeManifest, type Person } from '../harness/relations.ts';
import { startTestServer, type TestServer } from '../harness/server.ts';
import { openSocket } from '../harness/socket.ts';
import { addBot, addTalker, seal } from '../harness/talk.ts';
import { type Watcher, watchAgent } from '../harness/watch.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const MANIFEST = makeManifest({ 'files:read': 'low' }, { read: { scope: 'files:read' } });

/** Someone who watches their agent. */
async function begin(at = server): Promise<{ owner: Person; agent: Agent; watcher: Watcher }> {
  const owner = await addPerson(at);
  const agent = await addAgent(at, owner, MANIFEST);
  const watcher = await watchAgent(at, agent.id, { token: owner.token });
  await watcher.next('manifest.pushed');
  return { owner, agent, watcher };
}
const note = (agent: Agent, count: number) =>
  server.platform.agentEvents.record(agent.id, { type: 'message.refused', count });

describe('HS-12 attacks on the events of an agent', () => {
  it('HS-12 another account, a user of the agent, another agent and the agent itself hear nothing', async () => {
    const { agent, watcher } = await begin();
    const user = await addPerson(server);
    const body = { agent_id: agent.id, granted_scopes: [] };
    expect((await server.call('POST', '/h2a/relations', { token: user.token, body })).status).toBe(201);
    const other = await addAgent(server, await addPerson(server));
    for (const token of [(await addPerson(server)).token, user.token, other.token, agent.token]) {
      const refused = await watchAgent(server, agent.id, { token });
      expect([refused.status, refused.events, (await refused.ended).error.code]).toEqual([403, [], 'FORBIDDEN']);
    }
    await server.call('PATCH', `/agents/${agent.id}`, {
      token: agent.owner.token,
      body: { visibility: 'private' },
    });
    const refused = await watchAgent(server, agent.id, { token: other.owner.token });
    expect(refused.status).toBe(404);
    watcher.leave();
  });

  it('HS-12 a session that is revoked hears nothing more, though its token would still be good', async () => {
    const { owner, agent, watcher } = await begin();
    expect((await server.call('POST', '/auth/logout', { token: owner.token })).status).toBe(204);
    note(agent, 1);
    expect((await watcher.ended).error.code).toBe('UNAUTHENTICATED');
    await server.platform.agentEvents.flush();
    expect(watcher.events.some((event) => event.type === 'message.refused')).toBe(false);
    const again = await watchAgent(server, agent.id, { token: owner.token });
    expect([again.status, again.events]).toEqual([401, []]);
  });

  it('HS-12 a session that is revoked without a word is found out before anything is read for it', async () => {
    const { owner, agent, watcher } = await begin();
    await server.platform.db
      .updateTable('sessions')
      .set({ revoked_at: server.clock.now() })
      .where('account_id', '=', owner.accountId)
      .execute();
    note(agent, 1);
    expect((await watcher.ended).error.code).toBe('UNAUTHENTICATED');
    expect(watcher.events.some((event) => event.type === 'message.refused')).toBe(false);
  });

  it('HS-12 an agent that is deleted takes its events along', async () => {
    const { owner, agent, watcher } = await begin();
    expect((await server.call('DELETE', `/agents/${agent.id}`, { token: owner.token })).status).toBe(204);
    expect((await watcher.ended).error.code).toBe('NOT_FOUND');
    note(agent, 1);
    await server.platform.agentEvents.flush();
    for (const table of ['agent_events', 'agent_tails'] as const) {
      const rows = await server.platform.db.selectFrom(table).selectAll().where('agent_id', '=', agent.id).execute();
      expect(rows).toEqual([]);
    }
  });

  it('HS-12 whoever owns the agent no longer hears nothing more', async () => {
    const { agent, watcher } = await begin();
    const heir = await addPerson(server);
    await server.platform.db
      .updateTable('agents')
      .set({ owner_id: heir.accountId })
      .where('id', '=', agent.id)
      .execute();
    note(agent, 1);
    expect((await watcher.ended).error.code).toBe('FORBIDDEN');
    expect(watcher.events.some((event) => event.type === 'message.refused')).toBe(false);
  });

  it('HS-12 a stream ends with its token, however long the session lives', async () => {
    const owner = await addPerson(server);
    const agent = await addAgent(server, owner);
    await server.platform.agentEvents.flush();
    const watcher = await watchAgent(server, agent.id, { token: owner.token });
    server.clock.advance(300_000);
    expect(await watcher.ended).toEqual({ reply: { events: [], last_event_id: 1, reason: 'expired' } });
  });

  it('HS-12 privacy: nothing that is told names a person or holds what was said', async () => {
    const { agent, watcher } = await begin();
    const ben = await addTalker(server);
    const { token } = agent;
    const socket = await openSocket(server, `/ws/agent?agent_id=${agent.id}`);
    socket.send({ type: 'auth', token });
    const body = { agent_id: agent.id, granted_scopes: ['files:read'] };
    const { body: relation } = await server.call('POST', '/h2a/relations', { token: ben.token, body });
    const conversation = relation.conversation_id;
    const envelope = seal(ben, conversation, { created_at: server.clock.now().toISOString() });
    const path = `/conversations/${conversation}/messages`;
    expect((await server.call('POST', path, { token: ben.token, body: envelope })).status).toBe(200);
    await server.call('DELETE', `/h2a/relations/${relation.relation_id}`, { token: ben.token });
    await watcher.next('relation.revoked');
    await watcher.next('message.relayed');
    await watcher.next('connection.opened');
    await socket.end();
    const told = JSON.stringify(watcher.events);
    const secrets = [ben.id, ben.deviceId, 'Someone', conversation, envelope.ciphertext, envelope.signature, 'hsk_'];
    for (const secret of [...secrets, envelope.header.client_message_id]) expect(told).not.toContain(secret);
    watcher.leave();
  });

  it('HS-12 privacy: how much a group talked before the agent was brought into it is not counted', async () => {
    const [owner, ann, bob] = [await addTalker(server), await addTalker(server), await addTalker(server)];
    await befriend(server, owner.id, ann.id, bob.id);
    const bot = await addBot(server, owner, { groups: true });
    await server.platform.db.updateTable('agents').set({ visibility: 'public' }).where('id', '=', bot.id).execute();
    const watcher = await watchAgent(server, bot.id, { token: owner.token });
    const members = [{ kind: 'human', id: bob.id }];
    const started = await server.call('POST', '/conversations', { token: ann.token, body: { kind: 'group', members } });
    const path = `/conversations/${started.body.conversation_id}`;
    const say = async () => {
      const created_at = server.clock.now().toISOString();
      const body = seal(ann, started.body.conversation_id, { created_at });
      expect((await server.call('POST', `${path}/messages`, { token: ann.token, body })).status).toBe(200);
    };
    for (let n = 0; n < 3; n++) await say();
    const member = { kind: 'agent', id: bot.id };
    expect((await server.call('POST', `${path}/members`, { token: ann.token, body: member })).status).toBe(200);
    await say();
    expect(await watcher.next('message.relayed')).toMatchObject({ direction: 'to_agent', count: 1 });
    watcher.leave();
  });

  it('HS-12 pile-up: of too many streams of one account the oldest ends, and says why', async () => {
    const { owner, agent, watcher } = await begin();
    const more = await Promise.all([1, 2, 3, 4].map(() => watchAgent(server, agent.id, { token: owner.token })));
    expect((await watcher.ended).reply).toMatchObject({ reason: 'replaced' });
    note(agent, 7);
    for (const other of more) {
      await other.next('message.refused');
      other.leave();
    }
  });

  it('HS-12 a slow reader keeps nothing waiting in memory, and is told how much it missed', async () => {
    const owner = await addPerson(server);
    const agent = await addAgent(server, owner);
    await server.platform.agentEvents.flush();
    const told: { type: string; event_id: number | null; count?: number }[] = [];
    const stop = new AbortController();
    let read = () => {};
    const reading = streamEvents(server.platform, {
      agentId: agent.id,
      after: 0,
      keys: [],
      signal: stop.signal,
      check: async () => {},
      send: (event) => {
        told.push(event as (typeof told)[number]);
        // Takes each only when the test says so.
        return new Promise((resolve) => {
          read = resolve;
        });
      },
    });
    await expect.poll(() => told.length).toBe(1);
    read();
    await expect.poll(() => told.length).toBe(2);
    expect(told.map(({ type }) => type)).toEqual(['token.created', 'events.live']);
    for (let count = 1; count <= 300; count++) note(agent, count);
    await server.platform.agentEvents.flush();
    expect(told).toHaveLength(2);
    read();
    await expect.poll(() => told.length).toBe(3);
    expect(told[2]).toMatchObject({ type: 'events.left_out', event_id: null, count: 200 });
    read();
    await expect.poll(() => told.length).toBe(4);
    expect(told[3]).toMatchObject({ event_id: 202 });
    // Nobody reads, and it ends all the same.
    stop.abort();
    expect(await reading).toBeGreaterThan(0);
  });

  it.each([['-1'], ['1.5'], ['1e3'], ['9999999999999999'], ["1' or 1=1"], ['']])(
    'HS-12 a number that is none is refused: %s',
    async (after) => {
      const owner = await addPerson(server);
      const agent = await addAgent(server, owner);
      const path = `/agents/${agent.id}/events?after=${encodeURIComponent(after)}`;
      expect((await server.call('GET', path, { token: owner.token })).status).toBe(400);
    },
  );

  it('HS-12 a server that ends lets go of whoever watches, also of one that reads nothing', async () => {
    const other = await startTestServer();
    const { owner, agent, watcher } = await begin(other);
    const { hostname, port } = new URL(other.url);
    const deaf = connectRaw(Number(port), hostname);
    deaf.on('error', () => {});
    const gone = new Promise((resolve) => deaf.on('close', resolve));
    const head = `GET /agents/${agent.id}/events HTTP/1.1\r\nhost: x\r\naccept: ${LINES_TYPE}\r\n`;
    deaf.write(`${head}authorization: Bearer ${owner.token}\r\n\r\n`);
    await new Promise((resolve) => deaf.once('data', resolve));
    await other.drop();
    expect((await watcher.ended).reply).toMatchObject({ events: [], reason: 'closing' });
    await gone;
    expect(deaf.destroyed).toBe(true);
  });
});
