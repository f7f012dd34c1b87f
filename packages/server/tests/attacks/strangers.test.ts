import { randomUUID } from 'node:crypto';
import { contactRoutes, makeContactCode } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signAccessToken } from '../../src/auth/access-token.ts';
import { befriend } from '../harness/contacts.ts';
import { eventsOf } from '../harness/relations.ts';
import type { Reply, TestServer } from '../harness/server.ts';
import { startTestServer } from '../harness/server.ts';
import { connect } from '../harness/socket.ts';
import { addBot, addTalker, relate, type Speaker, seal, type Talker } from '../harness/talk.ts';

const DAY_MS = 24 * 3_600_000;

let server: TestServer;
let ann: Talker;
let eve: Talker;
beforeAll(async () => {
  server = await startTestServer();
  [ann, eve] = [await addTalker(server), await addTalker(server)];
});
afterAll(() => server.drop());

const call = (who: Speaker, method: string, path: string, body?: unknown): Promise<Reply> =>
  server.call(method, path, { token: who.token, ...(body === undefined ? {} : { body }) });
const ask = (who: Speaker, body: object) => call(who, 'POST', '/contacts/requests', body);
const codeOf = async (who: Speaker) => (await call(who, 'GET', '/contacts/code')).body.code as string;
const requestsOf = async (who: Speaker) => (await call(who, 'GET', '/contacts/requests')).body;
const start = (who: Speaker, other: { id: string }) =>
  call(who, 'POST', '/conversations', { kind: 'h2h', members: [{ kind: 'human', id: other.id }] });
const group = async (who: Speaker, ...others: { id: string }[]) =>
  call(who, 'POST', '/conversations', { kind: 'group', title: 'Us', members: others.map(human) });
const human = ({ id }: { id: string }) => ({ kind: 'human', id });
const add = (who: Speaker, groupId: string, other: { id: string }) =>
  call(who, 'POST', `/conversations/${groupId}/members`, human(other));
const invite = (who: Speaker, groupId: string, other: { id: string }) =>
  call(who, 'POST', `/conversations/${groupId}/invitations`, { user_id: other.id });
const block = (who: Speaker, other: { id: string }) => call(who, 'POST', '/contacts/blocked', { user_id: other.id });
const say = (who: Speaker, id: string) => call(who, 'POST', `/conversations/${id}/messages`, seal(who, id));
const codeOfError = ({ status, body }: Reply) => [status, body.error?.code];
/** Two people who are contacts and have a conversation. */
async function pair() {
  const [one, other] = [await addTalker(server), await addTalker(server)];
  await befriend(server, one.id, other.id);
  return { one, other, id: (await start(one, other)).body.conversation_id as string };
}
const strangerBot = async (owner: Talker) => addBot(server, owner);
const without = ({ status, body }: Reply) => ({ status, body: { ...body, request_id: undefined } });

describe('AC-4 attack: enumerating and reaching strangers', () => {
  it('AC-4 attack: an id that exists is answered like one that does not, by every route that takes one', async () => {
    const own = (await group(eve)).body.conversation_id;
    const probes: ((id: string) => Promise<Reply>)[] = [
      (id) => start(eve, { id }),
      (id) => group(eve, { id }),
      (id) => add(eve, own, { id }),
      (id) => block(eve, { id }),
      (id) => call(eve, 'DELETE', `/contacts/blocked/${id}`),
      (id) => call(eve, 'GET', `/accounts/${id}/devices`),
    ];
    for (const probe of probes) {
      const [real, none] = [await probe(ann.id), await probe(randomUUID())];
      const plain = ({ status, body }: Reply) => [status, body.error.code, body.error.params];
      expect(plain(real)).toEqual(plain(none));
      expect(real.status).toBeGreaterThanOrEqual(400);
    }
    const [asked, nobody] = [await ask(eve, { user_id: ann.id }), await ask(eve, { user_id: randomUUID() })];
    expect(without(asked)).toEqual(without(nobody));
    const [invited, guessed] = [await invite(eve, own, ann), await invite(eve, own, { id: randomUUID() })];
    expect([invited.status, guessed.status]).toEqual([202, 202]);
    const { invitations } = (await call(eve, 'GET', `/conversations/${own}/invitations`)).body;
    expect(invitations.map(({ name, accepted }: { name: string; accepted: boolean }) => [name, accepted])).toEqual([
      ['', false],
      ['', false],
    ]);
    expect(await requestsOf(ann)).toMatchObject({ incoming: [] });
    expect((await call(ann, 'GET', '/group-invitations')).body.invitations).toEqual([]);
  });

  it('AC-4 attack: no conversation, no group, no key with someone who is no contact', async () => {
    expect(codeOfError(await start(eve, ann))).toEqual([403, 'CONTACT_REQUIRED']);
    const refused = await group(eve, ann);
    expect([...codeOfError(refused), refused.body.user_ids]).toEqual([403, 'INVITATION_REQUIRED', [ann.id]]);
    expect(codeOfError(await call(eve, 'POST', '/keys/bundles', { devices: [ann.deviceId] }))).toEqual([
      404,
      'NOT_FOUND',
    ]);
    // A request changes nothing of that.
    await ask(eve, { code: await codeOf(ann) });
    expect(codeOfError(await start(eve, ann))).toEqual([403, 'CONTACT_REQUIRED']);
    expect((await call(eve, 'POST', '/keys/bundles', { devices: [ann.deviceId] })).status).toBe(404);
    expect((await call(ann, 'GET', '/conversations')).body.conversations).toEqual([]);
  });

  it('AC-4 attack: guessing contact codes: every well-formed one is answered alike, and 30 are all there are', async () => {
    const [mallory, bob] = [await addTalker(server), await addTalker(server)];
    const real = await ask(mallory, { code: await codeOf(bob) });
    const replies: Reply[] = [real];
    for (let n = 1; n < contactRoutes.MAX_OUTGOING_REQUESTS; n++) {
      if (n % 9 === 0) server.clock.advance(61_000);
      replies.push(await ask(mallory, { code: makeContactCode(Uint8Array.of(1, 2, 3, 4, 5, 6, n)) }));
    }
    expect(new Set(replies.map((reply) => JSON.stringify(without(reply)))).size).toBe(1);
    server.clock.advance(61_000);
    const more = await ask(mallory, { code: makeContactCode(Uint8Array.of(1, 2, 3, 4, 5, 6, 99)) });
    expect(codeOfError(more)).toEqual([429, 'RATE_LIMITED']);
    expect(Number(more.headers.get('retry-after'))).toBeGreaterThan(86_400);
    // What became of them is not to be seen in the list either.
    await call(bob, 'POST', `/contacts/requests/${(await requestsOf(bob)).incoming[0].request_id}/decline`);
    const { outgoing } = await requestsOf(mallory);
    expect(outgoing).toHaveLength(contactRoutes.MAX_OUTGOING_REQUESTS);
    for (const one of outgoing) expect(Object.keys(one).sort()).toEqual(['code', 'created_at', 'request_id']);
    expect((await ask(mallory, { code: 'K7M2Q9RX4TZD' })).status).toBe(400);
  });
});

describe('AC-5 attack: groups', () => {
  it('AC-5 attack: a stranger is put into a group; whoever left is added again', async () => {
    const [owner, bob, carl] = [await addTalker(server), await addTalker(server), await addTalker(server)];
    await befriend(server, owner.id, bob.id);
    const id = (await group(owner, bob)).body.conversation_id;
    expect(codeOfError(await add(owner, id, carl))).toEqual([403, 'INVITATION_REQUIRED']);
    expect((await call(bob, 'DELETE', `/conversations/${id}/members/${bob.id}`)).status).toBe(204);
    expect(codeOfError(await add(owner, id, bob))).toEqual([403, 'INVITATION_REQUIRED']);
    // Another group is another question: they are contacts.
    expect((await group(owner, bob)).status).toBe(201);
  });

  it('AC-5 attack: an invited person is no member: no message, no name in the list, no key', async () => {
    const [owner, bob] = [await addTalker(server), await addTalker(server)];
    await befriend(server, owner.id, bob.id);
    const id = (await group(owner, bob)).body.conversation_id;
    await call(bob, 'DELETE', `/conversations/${id}/members/${bob.id}`);
    const { invitation_id } = (await invite(owner, id, bob)).body;
    const socket = await connect(server, bob);
    expect(await socket.next('group.invited')).toMatchObject({ invitation_id, title: 'Us' });
    await say(owner, id);
    expect((await call(bob, 'GET', `/conversations/${id}/messages`)).status).toBe(404);
    expect((await call(bob, 'GET', `/conversations/${id}`)).status).toBe(404);
    expect((await call(owner, 'GET', `/conversations/${id}`)).body.members).toHaveLength(1);
    const [mine] = (await call(bob, 'GET', '/group-invitations')).body.invitations;
    expect(mine).toMatchObject({ invitation_id, title: 'Us', members: 1, invited_by: { user_id: owner.id } });
    // Someone else cannot answer it, nor can the manager.
    for (const who of [eve, owner]) {
      expect((await call(who, 'POST', `/group-invitations/${invitation_id}/accept`)).status).toBe(404);
    }
    expect((await call(bob, 'POST', `/group-invitations/${invitation_id}/accept`)).body).toEqual({
      conversation_id: id,
      joined: true,
    });
    await say(owner, id);
    expect((await call(bob, 'GET', `/conversations/${id}/messages`)).body.messages).toHaveLength(1);
    expect((await call(bob, 'POST', `/group-invitations/${invitation_id}/accept`)).status).toBe(404);
    await socket.end();
  });

  it('AC-5 attack: inviting again after a refusal, and after withdrawing: not heard, and not told', async () => {
    const [owner, bob] = [await addTalker(server), await addTalker(server)];
    await befriend(server, owner.id, bob.id);
    const id = (await group(owner)).body.conversation_id;
    const { invitation_id } = (await invite(owner, id, bob)).body;
    expect((await call(bob, 'POST', `/group-invitations/${invitation_id}/decline`)).status).toBe(204);
    const list = async () => (await call(owner, 'GET', `/conversations/${id}/invitations`)).body.invitations;
    expect(await list()).toMatchObject([{ user_id: bob.id, accepted: false, invited_by: owner.id }]);
    expect((await invite(owner, id, bob)).body.invitation_id).toBe(invitation_id);
    await call(owner, 'DELETE', `/conversations/${id}/invitations/${invitation_id}`);
    expect(await list()).toEqual([]);
    expect((await invite(owner, id, bob)).status).toBe(202);
    expect((await call(bob, 'GET', '/group-invitations')).body.invitations).toEqual([]);
  });

  it('AC-5 attack: whoever was removed comes back with an invitation of before they were added', async () => {
    const [owner, admin, mallory] = [await addTalker(server), await addTalker(server), await addTalker(server)];
    await befriend(server, owner.id, admin.id, mallory.id);
    const id = (await group(owner, admin)).body.conversation_id;
    await call(owner, 'POST', `/conversations/${id}/members`, { ...human(admin), role: 'admin' });
    const { invitation_id } = (await invite(admin, id, mallory)).body;
    expect((await add(owner, id, mallory)).status).toBe(200);
    expect((await call(owner, 'DELETE', `/conversations/${id}/members/${mallory.id}`)).status).toBe(204);
    expect((await call(mallory, 'GET', '/group-invitations')).body.invitations).toEqual([]);
    expect((await call(mallory, 'POST', `/group-invitations/${invitation_id}/accept`)).status).toBe(404);
    expect((await call(mallory, 'GET', `/conversations/${id}`)).status).toBe(404);
  });

  it('AC-5 attack: inviting and withdrawing all the time: the person is told once', async () => {
    const [owner, bob] = [await addTalker(server), await addTalker(server)];
    await befriend(server, owner.id, bob.id);
    const id = (await group(owner)).body.conversation_id;
    for (let i = 0; i < 5; i++) {
      const { invitation_id } = (await invite(owner, id, bob)).body;
      await call(owner, 'DELETE', `/conversations/${id}/invitations/${invitation_id}`);
    }
    const told = (await eventsOf(server, 'human', bob.id)).filter(({ type }) => type === 'group.invited');
    expect(told).toHaveLength(1);
    // It can be accepted all the same.
    await invite(owner, id, bob);
    expect((await call(bob, 'GET', '/group-invitations')).body.invitations).toHaveLength(1);
  });
});

describe('AC-6 attack: the blocked by every route', () => {
  it('AC-6 attack: a message to the conversation of two is acknowledged as always and never delivered', async () => {
    const { one: bob, other: mallory, id } = await pair();
    await say(mallory, id);
    expect((await block(bob, mallory)).status).toBe(201);
    const socket = await connect(server, bob);
    await socket.next('message.new');
    const ack = await say(mallory, id);
    expect([ack.status, ack.body.conversation_seq]).toEqual([200, 2]);
    const live = await connect(server, mallory);
    const envelope = seal(mallory, id);
    live.send({ type: 'send', envelope });
    expect(await live.next('message.ack')).toMatchObject({ conversation_seq: 3 });
    live.send({ type: 'typing', conversation_id: id });
    live.send({ type: 'ping' });
    await live.next('pong');
    const read = async (who: Talker) => (await call(who, 'GET', `/conversations/${id}/messages`)).body.messages;
    expect((await read(bob)).map(({ conversation_seq: seq }: { conversation_seq: number }) => seq)).toEqual([1]);
    expect(await read(mallory)).toHaveLength(3);
    const unread = async () => (await call(bob, 'GET', '/conversations')).body.conversations[0].unread;
    expect(await unread()).toBe(1);
    // Whoever blocks cannot write meanwhile, and is told why; reading is not told to the blocked.
    expect(codeOfError(await say(bob, id))).toEqual([409, 'ACCOUNT_BLOCKED']);
    await call(bob, 'POST', `/conversations/${id}/read`, { seq: 3 });
    expect((await call(bob, 'DELETE', `/contacts/blocked/${mallory.id}`)).status).toBe(204);
    await say(mallory, id);
    expect(await socket.next((frame) => frame.conversation_seq === 4)).toMatchObject({ type: 'message.new' });
    expect((await read(bob)).map(({ conversation_seq: seq }: { conversation_seq: number }) => seq)).toEqual([1, 4]);
    const seen = socket.frames.filter(({ type }) => type === 'message.new' || type === 'typing');
    expect(seen.map(({ conversation_seq: seq }) => seq)).toEqual([1, 4]);
    expect(socket.frames.find(({ type }) => type === 'message.gone')).toMatchObject({ from_seq: 2, to_seq: 3 });
    expect(live.frames.filter(({ type }) => type === 'message.read')).toEqual([]);
    await Promise.all([socket.end(), live.end()]);
  });

  it('AC-6 attack: requests, new conversations, groups and invitations of the blocked: answered as always', async () => {
    const { one: bob, other: mallory, id } = await pair();
    await block(bob, mallory);
    expect((await start(mallory, bob)).body.conversation_id).toBe(id);
    expect((await call(mallory, 'GET', '/contacts')).body.contacts).toMatchObject([{ user_id: bob.id }]);
    expect(codeOfError(await group(mallory, bob))).toEqual([403, 'INVITATION_REQUIRED']);
    const theirs = (await group(mallory)).body.conversation_id;
    expect(codeOfError(await add(mallory, theirs, bob))).toEqual([403, 'INVITATION_REQUIRED']);
    expect((await invite(mallory, theirs, bob)).status).toBe(202);
    expect((await call(bob, 'GET', '/group-invitations')).body.invitations).toEqual([]);
    // Without a conversation of before: a stranger who was blocked when asking.
    const carl = await addTalker(server);
    const code = await codeOf(carl);
    await ask(mallory, { code });
    expect((await block(carl, mallory)).body).toMatchObject({ user_id: mallory.id });
    expect((await requestsOf(carl)).incoming).toEqual([]);
    await call(carl, 'DELETE', `/contacts/blocked/${mallory.id}`);
    expect((await ask(mallory, { code })).status).toBe(202);
    expect((await requestsOf(carl)).incoming).toEqual([]);
    // A conversation that the blocked begins is not shown.
    const dora = await addTalker(server);
    await befriend(server, dora.id, mallory.id);
    await block(dora, mallory);
    expect((await start(mallory, dora)).status).toBe(201);
    expect((await call(dora, 'GET', '/conversations')).body.conversations).toEqual([]);
    expect((await call(dora, 'GET', '/contacts')).body.contacts).toEqual([]);
  });

  it('AC-6 attack: agents of the blocked, and the blocked at agents of whoever blocked them', async () => {
    const { one: bob, other: mallory } = await pair();
    const [theirs, own] = [await addBot(server, mallory), await addBot(server, bob)];
    const [reached, used] = [await relate(server, bob, theirs), await relate(server, mallory, own)];
    expect((await say(theirs, reached)).status).toBe(200);
    await block(bob, mallory);
    for (const [who, id] of [
      [theirs, reached],
      [mallory, used],
    ] as const) {
      expect((await say(who, id)).status).toBeGreaterThanOrEqual(400);
    }
    expect((await say(own, used)).status).toBeGreaterThanOrEqual(400);
    const establish = (who: Speaker, agentId: string) =>
      call(who, 'POST', '/h2a/relations', { agent_id: agentId, granted_scopes: [] });
    expect(codeOfError(await establish(mallory, own.id))).toEqual([404, 'NOT_FOUND']);
    expect(codeOfError(await establish(bob, theirs.id))).toEqual([409, 'ACCOUNT_BLOCKED']);
    expect((await establish(eve, own.id)).body.error?.code).not.toBe('NOT_FOUND');
    // Nor by way of a group.
    const willing = await addBot(server, bob, { groups: true });
    const withBot = (who: Speaker) =>
      call(who, 'POST', '/conversations', { kind: 'group', title: 'Us', members: [{ kind: 'agent', id: willing.id }] });
    expect(codeOfError(await withBot(mallory))).toEqual([404, 'NOT_FOUND']);
    expect((await withBot(eve)).status).toBe(201);
  });

  it('AC-6 attack: one-time keys are not drained by the blocked, and only the blocking one sees the block', async () => {
    const { one: bob, other: mallory } = await pair();
    await server.platform.db
      .insertInto('one_time_prekeys')
      .values({ owner_kind: 'device', owner_id: bob.deviceId, key_id: 1, public_key: 'A'.repeat(43) })
      .execute();
    await block(bob, mallory);
    const [bundle] = (await call(mallory, 'POST', '/keys/bundles', { devices: [bob.deviceId] })).body.bundles;
    expect(bundle).toMatchObject({ id: bob.deviceId, one_time_prekey: null });
    const exported = JSON.stringify((await call(mallory, 'GET', '/auth/account/export')).body);
    expect(JSON.parse(exported).blocked).toEqual([]);
    expect((await call(mallory, 'GET', '/contacts/blocked')).body).toEqual({ blocked: [] });
    expect((await call(bob, 'GET', '/contacts/blocked')).body.blocked).toMatchObject([{ user_id: mallory.id }]);
  });
});

/** The same person with a new token: the clock has moved on. */
async function relogin(person: Talker): Promise<Talker> {
  const { accountId, sessionId } = person.caller;
  await server.platform.db
    .updateTable('sessions')
    .set({ expires_at: new Date(server.clock.now().getTime() + DAY_MS) })
    .where('id', '=', sessionId)
    .execute();
  return { ...person, token: await signAccessToken(server.config, { accountId, sessionId }, server.clock.now()) };
}

// The last ones, because they move the clock by days.
describe('AC-4 attack: over time', () => {
  it('AC-4 attack: a flood of requests by many accounts: 50 a day are shown, the rest is answered alike', async () => {
    const bob = await addTalker(server);
    const code = await codeOf(bob);
    const askers = await Promise.all(Array.from({ length: 60 }, () => addTalker(server)));
    const replies = [];
    for (const asker of askers) replies.push(await ask(asker, { code }));
    expect(new Set(replies.map((reply) => JSON.stringify(without(reply)))).size).toBe(1);
    expect((await requestsOf(bob)).incoming).toHaveLength(50);
    // A new code: whoever knew the old one is not heard any more.
    await call(bob, 'POST', '/contacts/code');
    server.clock.advance(DAY_MS + 1_000);
    await ask(await addTalker(server), { code });
    expect((await requestsOf(await relogin(bob))).incoming).toHaveLength(50);
  });

  it('AC-4 attack: asking again after a refusal, by every name: not heard for 30 days, and not told', async () => {
    const [mallory, bob] = [await addTalker(server), await addTalker(server)];
    const bot = await strangerBot(bob);
    const code = await codeOf(bob);
    const first = await ask(mallory, { code });
    const [waiting] = (await requestsOf(bob)).incoming;
    expect(waiting).toMatchObject({ user_id: mallory.id, display_name: 'Someone', by: 'code' });
    expect((await call(bob, 'POST', `/contacts/requests/${waiting.request_id}/decline`)).status).toBe(204);
    const again = await ask(mallory, { code });
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect((await ask(mallory, { agent_id: bot.id })).status).toBe(202);
    expect((await requestsOf(bob)).incoming).toEqual([]);
    expect((await call(bob, 'POST', `/contacts/requests/${waiting.request_id}/accept`)).status).toBe(404);
    server.clock.advance(31 * DAY_MS);
    await ask(await relogin(mallory), { code });
    expect((await requestsOf(await relogin(bob))).incoming).toMatchObject([{ user_id: mallory.id }]);
  });
});
