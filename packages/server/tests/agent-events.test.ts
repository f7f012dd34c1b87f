import { readAgentEvent } from '@parley/protocol';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPollTracker } from '../src/agent-events/poll-tracker.ts';
import { pruneAgentEvents } from '../src/agent-events/store.ts';
import { startReceiver } from './harness/receiver.ts';
import { addAgent, addPerson, makeManifest, type Person, publish } from './harness/relations.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { connect } from './harness/socket.ts';
import { addBot, addTalker, relate, seal, sealToolCall } from './harness/talk.ts';
import { watchAgent } from './harness/watch.ts';

let one: TestServer;
let two: TestServer;
let owner: Person;
beforeAll(async () => {
  one = await startTestServer();
  const { databaseUrl, tokenSecret, storageSecret } = one.config;
  two = await startTestServer({ databaseUrl, tokenSecret, storageSecret });
  owner = await addPerson(one);
});
afterAll(async () => {
  await two.drop();
  await one.drop();
});

const MANIFEST = makeManifest({ 'files:read': 'low' }, { read: { scope: 'files:read' } });
const BREAKING = makeManifest({ 'files:read': 'high' }, { read: { scope: 'files:read' } });
const asOwner = (method: string, path: string, body?: object) =>
  one.call(method, path, { token: owner.token, ...(body ? { body } : {}) });
const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type);
/** What a page that is opened now shows. */
async function kept(agentId: string, { token } = owner) {
  await one.platform.agentEvents.flush();
  await two.platform.agentEvents.flush();
  const { status, body } = await one.call('GET', `/agents/${agentId}/events`, { token });
  expect(status).toBe(200);
  return body as { events: { type: string; event_id: number }[]; last_event_id: number };
}

describe('HS-12 what happens around an agent', () => {
  it('HS-12 tokens, manifests, relations, pauses: told as they happen, in order, and kept for later', async () => {
    const agent = await addAgent(one, owner, MANIFEST);
    const watcher = await watchAgent(one, agent.id, { token: owner.token });
    await watcher.next('manifest.pushed');

    const person = await addPerson(one);
    const body = { agent_id: agent.id, granted_scopes: ['files:read'] };
    const relation = await one.call('POST', '/h2a/relations', { token: person.token, body });
    const id = relation.body.relation_id;
    expect(await watcher.next('relation.established')).toMatchObject({ relation_id: id });
    await publish(one, agent, BREAKING);
    expect(await watcher.next('relation.reauth_required')).toMatchObject({ version: 2, scopes: ['files:read'] });
    expect(await watcher.next((event) => event.version === 2)).toMatchObject({ breaking_changes: 1 });
    await one.call('PATCH', `/h2a/relations/${id}`, { token: person.token, body: { granted_scopes: ['files:read'] } });
    expect(await watcher.next('relation.changed')).toMatchObject({ relation_id: id, answer: 'granted' });
    await asOwner('POST', `/agents/${agent.id}/suspend`);
    expect(await watcher.next('relation.suspended')).toMatchObject({ relations: 1 });
    await asOwner('POST', `/agents/${agent.id}/resume`);
    await watcher.next('relation.restored');
    await one.call('DELETE', `/h2a/relations/${id}`, { token: person.token });
    expect(await watcher.next('relation.revoked')).toMatchObject({ relation_id: id, by: 'user' });
    const rotated = await asOwner('POST', `/agents/${agent.id}/tokens`, { overlap_seconds: 60 });
    const { token_id } = rotated.body;
    expect(await watcher.next('token.rotated')).toMatchObject({ token_id, overlap_seconds: 60 });
    await asOwner('DELETE', `/agents/${agent.id}/tokens/${token_id}`);
    expect(await watcher.next('token.revoked')).toMatchObject({ token_id });
    watcher.leave();

    expect(watcher.events.map((event) => event.event_id)).toEqual(watcher.events.map((_, index) => index + 1));
    for (const event of watcher.events) expect(readAgentEvent(event)).toEqual(event);
    const later = await kept(agent.id);
    expect(later.events).toEqual(watcher.events);
    expect(later.last_event_id).toBe(watcher.events.length);
    expect(typesOf(later.events).sort()).toEqual(
      [
        ...['token.created', 'manifest.pushed', 'relation.established', 'manifest.pushed', 'relation.reauth_required'],
        ...['relation.changed', 'agent.suspended', 'relation.suspended', 'agent.resumed', 'relation.restored'],
        ...['relation.revoked', 'token.rotated', 'token.revoked'],
      ].sort(),
    );
  });

  it('HS-12 sockets and deliveries that happen on another node are told on this one', async () => {
    const ann = await addTalker(one);
    const bot = await addBot(one, ann);
    const watcher = await watchAgent(two, bot.id, { token: ann.token });
    const socket = await connect(one, bot);
    const opened = await watcher.next('connection.opened');
    expect(opened).toMatchObject({ via: 'socket', token_id: bot.caller.tokenId });
    await socket.end();
    await watcher.next('connection.closed');

    const receiver = await startReceiver();
    const call = (method: string, path: string, body?: object) =>
      one.call(method, `/agents/${bot.id}/webhook${path}`, { token: ann.token, ...(body ? { body } : {}) });
    await call('PUT', '', { url: receiver.url });
    const ping = await call('POST', '/test');
    const { delivery_id } = ping.body;
    expect(await watcher.next('webhook.delivered')).toMatchObject({ delivery_id, event_type: 'ping', status: 200 });
    receiver.answer(500);
    await call('POST', '/test');
    const failed = await watcher.next('webhook.failed');
    expect(failed).toMatchObject({ attempt: 1, status: 500, error: 'STATUS', next_attempt_at: expect.any(String) });
    receiver.answer(410);
    await call('POST', `/deliveries/${failed.delivery_id}/redeliver`);
    expect(await watcher.next('webhook.given_up')).toMatchObject({ status: 410, delivery_id: failed.delivery_id });
    await receiver.close();
    watcher.leave();
  });

  it('HS-12 messages are counted by direction and kind while someone looks, on whatever node, and not kept', async () => {
    const ann = await addTalker(one);
    const bot = await addBot(one, ann);
    const conversation = await relate(one, ann, bot);
    const send = (server: TestServer, token: string, body: object) =>
      server.call('POST', `/conversations/${conversation}/messages`, { token, body });
    await send(one, ann.token, seal(ann, conversation));
    const watcher = await watchAgent(two, bot.id, { token: ann.token });
    await one.platform.agentEvents.flush();
    await Promise.all([1, 2, 3].map(() => send(one, ann.token, seal(ann, conversation))));
    await send(one, bot.token, sealToolCall(bot, conversation));
    const count = (direction: string, subtype: string) =>
      watcher.events
        .filter((event) => event.direction === direction && event.msg_subtype === subtype)
        .reduce((sum, event) => sum + event.count, 0);
    await until(() => {
      expect([count('to_agent', 'text'), count('from_agent', 'artifact_tool_call')]).toEqual([3, 1]);
    });
    expect(watcher.events.every((event) => event.event_id === null)).toBe(true);
    watcher.leave();
    expect((await kept(bot.id, { ...owner, token: ann.token })).events).toEqual([]);
  });

  it('HS-12 calls over the limit are told as a number', async () => {
    const ann = await addTalker(one);
    const bot = await addBot(one, ann);
    const conversation = await relate(one, ann, bot);
    const statuses = await Promise.all(
      Array.from({ length: 63 }, () =>
        one
          .call('POST', `/conversations/${conversation}/messages`, {
            token: bot.token,
            body: sealToolCall(bot, conversation),
          })
          .then(({ status }) => status),
      ),
    );
    expect(statuses.filter((status) => status === 429)).toHaveLength(3);
    await one.platform.agentEvents.flush();
    const { body } = await one.call('GET', `/agents/${bot.id}/events`, { token: ann.token });
    expect(body.events.reduce((sum: number, event: { count: number }) => sum + event.count, 0)).toBe(3);
    expect(body.events[0].type).toBe('message.refused');
  });

  it('HS-12 an agent that polls is there until it has not asked for a while', async () => {
    const ann = await addTalker(one);
    const bot = await addBot(one, ann, { mode: 'polling' });
    const watcher = await watchAgent(two, bot.id, { token: ann.token });
    const poll = () => one.call('GET', `/agents/${bot.id}/messages/poll?wait=0`, { token: bot.token });
    await poll();
    await poll();
    expect(await watcher.next('connection.opened')).toMatchObject({ via: 'poll' });
    const pollTracker = createPollTracker(two.platform.agentEvents, 5);
    const [leave, leaveToo] = [pollTracker.begin(bot.caller), pollTracker.begin(bot.caller)];
    leave();
    leaveToo();
    await watcher.next('connection.closed');
    expect(typesOf(watcher.events)).toEqual(['connection.opened', 'connection.opened', 'connection.closed']);
    watcher.leave();
  });

  it('HS-12 numbers from several nodes have no gap and no double, and a hundred are kept', async () => {
    const agent = await addAgent(one, owner);
    const other = await addAgent(one, owner);
    const watcher = await watchAgent(two, agent.id, { token: owner.token });
    for (let count = 1; count <= 60; count++) {
      for (const node of [one, two]) {
        node.platform.agentEvents.record(agent.id, { type: 'message.refused', count });
        node.platform.agentEvents.record(other.id, { type: 'message.refused', count });
        if (count % 20 === 0) await node.platform.agentEvents.flush();
      }
    }
    const { events, last_event_id } = await kept(agent.id);
    expect(last_event_id).toBe(121);
    expect(events.map((event) => event.event_id)).toEqual(Array.from({ length: 100 }, (_, index) => index + 22));
    await watcher.next((event) => event.event_id === 121);
    const numbers = watcher.events.filter((event) => event.event_id !== null).map((event) => event.event_id);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    watcher.leave();
    expect((await kept(other.id)).last_event_id).toBe(121);
  });

  it('HS-12 whoever comes back hears what they missed, or how much of it is gone', async () => {
    const agent = await addAgent(one, owner);
    const note = (count: number) => one.platform.agentEvents.record(agent.id, { type: 'message.refused', count });
    for (let count = 2; count <= 10; count++) note(count);
    await one.platform.agentEvents.flush();
    const back = await watchAgent(one, agent.id, { token: owner.token, after: 8 });
    await back.next((event) => event.event_id === 10);
    expect(back.events.map((event) => event.event_id)).toEqual([9, 10]);
    back.leave();

    for (let count = 11; count <= 150; count++) note(count);
    await one.platform.agentEvents.flush();
    const late = await watchAgent(one, agent.id, { token: owner.token, after: 10 });
    await late.next((event) => event.event_id === 150);
    expect(late.events[0]).toMatchObject({ event_id: null, type: 'events.left_out', count: 40 });
    expect(late.events).toHaveLength(101);
    late.leave();

    // Numbers that begin again, from a backup: everything there is.
    const ahead = await watchAgent(one, agent.id, { token: owner.token, after: 9_000 });
    await ahead.next((event) => event.event_id === 150);
    expect(ahead.events[0]).toMatchObject({ event_id: 51 });
    ahead.leave();
  });

  it('HS-12 old ones are forgotten, and numbers go on', async () => {
    const agent = await addAgent(one, owner);
    expect((await kept(agent.id)).events).toHaveLength(1);
    await pruneAgentEvents(one.platform.db, new Date(one.clock.now().getTime() + 1_000));
    expect(await kept(agent.id)).toMatchObject({ events: [], last_event_id: 1 });
    await asOwner('POST', `/agents/${agent.id}/suspend`);
    expect(await kept(agent.id)).toMatchObject({ events: [{ event_id: 2, type: 'agent.suspended' }] });
  });
});
