import { randomUUID } from 'node:crypto';
import { ID_PATTERN } from '@parley/base';
import { contactRoutes, makeContactCode, ROUTES, type RouteContract } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signAccessToken } from '../../src/auth/access-token.ts';
import { forgetPeople } from '../../src/people/forget.ts';
import { befriend } from '../harness/contacts.ts';
import { eventsOf } from '../harness/relations.ts';
import type { Reply, TestServer } from '../harness/server.ts';
import { startTestServer } from '../harness/server.ts';
import { freshNamespace, makeDescriptor } from '../harness/skills.ts';
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
/** Into a group in which members are signed: they wait until someone signs. Returns the invitation. */
async function inviteAndAccept(inviter: Speaker, invited: Speaker, groupId: string): Promise<string> {
  const { invitation_id } = (await invite(inviter, groupId, invited)).body;
  await server.platform.db
    .updateTable('group_invitations')
    .set({ accepted_at: server.clock.now() })
    .where('id', '=', invitation_id)
    .execute();
  return invitation_id;
}
const codeOfError = ({ status, body }: Reply) => [status, body.error?.code];
/** Two people who are contacts and have a conversation. */
async function pair() {
  const [one, other] = [await addTalker(server), await addTalker(server)];
  await befriend(server, one.id, other.id);
  return { one, other, id: (await start(one, other)).body.conversation_id as string };
}
const strangerBot = async (owner: Talker) => addBot(server, owner);
/** What the answer says, without the ids that it was about or made. */
const without = ({ status, body }: Reply, id = '') =>
  JSON.parse(
    JSON.stringify({ status, body: { ...body, request_id: undefined, invitation_id: undefined } }, (key, value) =>
      key === 'request_id' || (id !== '' && value === id) ? undefined : value,
    ),
  );

/** Every name under which a route takes the id of something. A new one has to be put on one of the two sides. */
const NAMES: Readonly<Record<'account' | 'other', readonly string[]>> = {
  // `id` is a member's or a sender's.
  account: ['account_id', 'user_id', 'member_id', 'id', 'next_owner', 'admin_id', 'target_id'],
  other: [
    ...['cursor', 'session_id', 'challenge_id', 'device_id', 'devices', 'agents', 'agent_id', 'relation_id'],
    ...['conversation_id', 'request_id', 'invitation_id', 'message_id', 'delivery_id', 'passkey_id', 'token_id'],
    ...['skill_id', 'bundle_id', 'kit_id', 'slug', 'version', 'workspace'],
  ],
};
/** Routes that take the id of an account and need no probe. */
const OPERATORS = 'for operators, who see every account';
const SIGNED = 'in what the caller signs about itself: anyone else’s is refused';
const ABOUT_ONESELF: Readonly<Record<string, string>> = {
  'POST /devices': SIGNED,
  'POST /devices/list': SIGNED,
  'POST /h2a/relations': SIGNED,
  'PATCH /h2a/relations/:relation_id': SIGNED,
  'DELETE /h2a/relations/:relation_id': SIGNED,
  'POST /h2a/relations/:relation_id/ledger': SIGNED,
  'POST /conversations/:conversation_id/messages': SIGNED,
  'POST /conversations/:conversation_id/statements': 'it names exactly those who are members already',
  'GET /admin/accounts/:account_id': OPERATORS,
  'POST /admin/accounts/:account_id/ban': OPERATORS,
  'POST /admin/accounts/:account_id/unban': OPERATORS,
  'POST /admin/accounts/:account_id/role': OPERATORS,
  'POST /admin/accounts/:account_id/sign-out': OPERATORS,
  'GET /admin/accounts/:account_id/budgets': OPERATORS,
  'PATCH /admin/accounts/:account_id/budgets': OPERATORS,
  'POST /admin/accounts/:account_id/reset-link': OPERATORS,
  'GET /admin/actions': OPERATORS,
};

const nameOf = ({ method, path }: RouteContract) => `${method} ${path}`;

/** The names of a route's parameters, and of all ids that its query and body may hold. */
function findNames({ path, params, query, body }: RouteContract): ReadonlySet<string> {
  const names = new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name!));
  const walk = (schema: unknown, name: string): void => {
    if (schema === null || typeof schema !== 'object') return;
    if ('pattern' in schema && schema.pattern === ID_PATTERN) names.add(name);
    for (const [key, part] of Object.entries(schema)) {
      if (key === 'properties') for (const [property, one] of Object.entries(part)) walk(one, property);
      else if (Array.isArray(part)) for (const one of part) walk(one, name);
      else walk(part, name);
    }
  };
  for (const schema of [params, query, body]) walk(schema, '');
  return names;
}

function takesAccount(route: RouteContract): boolean {
  const names = [...findNames(route)];
  const known = [...NAMES.account, ...NAMES.other];
  expect([nameOf(route), names.filter((name) => !known.includes(name))]).toEqual([nameOf(route), []]);
  return names.some((name) => NAMES.account.includes(name));
}

describe('AC-4 attack: enumerating and reaching strangers', () => {
  it('AC-4 attack: an id that exists is answered like one that does not, by every route that takes one', async () => {
    const own = (await group(eve)).body.conversation_id;
    const namespace = freshNamespace();
    await call(eve, 'POST', '/skill-namespaces', { namespace });
    const skill = `${namespace}.mine`;
    expect((await call(eve, 'POST', '/skills', makeDescriptor(skill, { access: 'private' }))).status).toBe(201);
    const probes: Readonly<Record<string, readonly ((id: string) => Promise<Reply>)[]>> = {
      'POST /conversations': [(id) => start(eve, { id }), (id) => group(eve, { id })],
      'POST /conversations/:conversation_id/members': [(id) => add(eve, own, { id })],
      'DELETE /conversations/:conversation_id/members/:member_id': [
        (id) => call(eve, 'DELETE', `/conversations/${own}/members/${id}`),
      ],
      'POST /conversations/:conversation_id/invitations': [(id) => invite(eve, own, { id })],
      'POST /contacts/requests': [(id) => ask(eve, { user_id: id })],
      'POST /contacts/blocked': [(id) => block(eve, { id })],
      'DELETE /contacts/blocked/:user_id': [(id) => call(eve, 'DELETE', `/contacts/blocked/${id}`)],
      'GET /accounts/:account_id/devices': [(id) => call(eve, 'GET', `/accounts/${id}/devices`)],
      'PUT /skills/:skill_id/entitlements/:account_id': [
        (id) => call(eve, 'PUT', `/skills/${skill}/entitlements/${id}`),
      ],
      'DELETE /skills/:skill_id/entitlements/:account_id': [
        (id) => call(eve, 'DELETE', `/skills/${skill}/entitlements/${id}`),
      ],
    };
    const expected = ROUTES.filter(takesAccount).map(nameOf);
    expect([...Object.keys(probes), ...Object.keys(ABOUT_ONESELF)].sort()).toEqual(expected.sort());
    for (const [name, requests] of Object.entries(probes)) {
      for (const probe of requests) {
        const none = randomUUID();
        const [real, guessed] = [without(await probe(ann.id), ann.id), without(await probe(none), none)];
        expect([name, real]).toEqual([name, guessed]);
      }
    }
    // Nor is it to be seen in what was made of it.
    await call(eve, 'PUT', `/skills/${skill}/entitlements/${ann.id}`);
    await call(eve, 'PUT', `/skills/${skill}/entitlements/${randomUUID()}`);
    const { entitlements } = (await call(eve, 'GET', `/skills/${skill}/entitlements`)).body;
    expect(entitlements.map((one: { display_name: string }) => one.display_name)).toEqual(['', '', '']);
    const { invitations } = (await call(eve, 'GET', `/conversations/${own}/invitations`)).body;
    expect(invitations.map(({ name, accepted }: { name: string; accepted: boolean }) => [name, accepted])).toEqual([
      ['', false],
      ['', false],
    ]);
    expect(await requestsOf(ann)).toMatchObject({ incoming: [] });
    expect((await call(ann, 'GET', '/group-invitations')).body.invitations).toEqual([]);
  });

  it('AC-7 attack: whom one entitles is named only to who has met them, and is let in all the same', async () => {
    const { one: owner, other: friend } = await pair();
    const namespace = freshNamespace();
    await call(owner, 'POST', '/skill-namespaces', { namespace });
    const skill = `${namespace}.mine`;
    await call(owner, 'POST', '/skills', makeDescriptor(skill, { access: 'private' }));
    for (const { id } of [friend, ann]) {
      expect((await call(owner, 'PUT', `/skills/${skill}/entitlements/${id}`)).status).toBe(204);
    }
    const { entitlements } = (await call(owner, 'GET', `/skills/${skill}/entitlements`)).body;
    const names = Object.fromEntries(
      entitlements.map((one: { account_id: string; display_name: string }) => [one.account_id, one.display_name]),
    );
    expect(names).toEqual({ [friend.id]: 'Someone', [ann.id]: '' });
    expect((await call(ann, 'GET', `/skills/${skill}`)).status).toBe(200);
    expect((await call(eve, 'GET', `/skills/${skill}`)).status).toBe(404);
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
    // The clock has moved on by most of the life of a token.
    [ann, eve] = [await relogin(ann), await relogin(eve)];
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

describe('AC-5 attack: invitations of strangers', () => {
  const invitationsOf = async (who: Speaker) =>
    (await call(who, 'GET', '/group-invitations')).body.invitations as {
      invitation_id: string;
      title: string | null;
      invited_by: { user_id: string };
    }[];
  const decline = (who: Speaker, id: string) => call(who, 'POST', `/group-invitations/${id}/decline`);
  /** Makes a group with this title and invites. */
  const advertise = async (who: Speaker, other: Speaker, title = 'BUY NOW') => {
    const made = await call(who, 'POST', '/conversations', { kind: 'group', title, members: [] });
    expect((await invite(who, made.body.conversation_id, other)).status).toBe(202);
    return made.body.conversation_id as string;
  };
  /** People in a group with someone, and no contacts of theirs. */
  async function acquaint(bob: Talker, many: number): Promise<Talker[]> {
    const owner = await addTalker(server);
    const others = await Promise.all(Array.from({ length: many }, () => addTalker(server)));
    await befriend(server, owner.id, bob.id);
    for (const { id } of others) await befriend(server, owner.id, id);
    await group(owner, bob, ...others);
    return others;
  }

  it('AC-4 AC-5 attack: declined as a contact, a member of a shared group advertises in the titles of new groups', async () => {
    const bob = await addTalker(server);
    const [mallory] = await acquaint(bob, 1);
    await ask(mallory!, { user_id: bob.id });
    const [request] = (await requestsOf(bob)).incoming;
    expect((await call(bob, 'POST', `/contacts/requests/${request.request_id}/decline`)).status).toBe(204);
    for (let i = 0; i < 3; i++) await advertise(mallory!, bob, `BUY NOW ${i}`);
    expect(await invitationsOf(bob)).toEqual([]);
    expect((await eventsOf(server, 'human', bob.id)).filter(({ type }) => type === 'group.invited')).toEqual([]);
  });

  it('AC-5 attack: a title is a text to a stranger: it is shown once they are contacts', async () => {
    const bob = await addTalker(server);
    const [mallory] = await acquaint(bob, 1);
    await advertise(mallory!, bob);
    expect(await invitationsOf(bob)).toMatchObject([{ title: null, invited_by: { user_id: mallory!.id } }]);
    const [told] = (await eventsOf(server, 'human', bob.id)).filter(({ type }) => type === 'group.invited');
    expect(told!.payload).toMatchObject({ title: null });
    await befriend(server, bob.id, mallory!.id);
    expect(await invitationsOf(bob)).toMatchObject([{ title: 'BUY NOW' }]);
    // Contacts invite again whenever they like: each group is another question.
    await decline(bob, (await invitationsOf(bob))[0]!.invitation_id);
    const again = await advertise(mallory!, bob, 'Holidays');
    expect(await invitationsOf(bob)).toMatchObject([{ title: 'Holidays' }]);
    expect(again).toBeTruthy();
  });

  it('AC-5 attack: after a refusal into another group, also when an accomplice invites into the first one again', async () => {
    const bob = await addTalker(server);
    const [mallory, trudy] = await acquaint(bob, 2);
    await befriend(server, mallory!.id, trudy!.id);
    const first = await advertise(mallory!, bob);
    await call(mallory!, 'POST', `/conversations/${first}/members`, { ...human(trudy!), role: 'admin' });
    const [waiting] = await invitationsOf(bob);
    await decline(bob, waiting!.invitation_id);
    await advertise(mallory!, bob);
    expect(await invitationsOf(bob)).toEqual([]);
    const withdrawn = await call(trudy!, 'DELETE', `/conversations/${first}/invitations/${waiting!.invitation_id}`);
    expect(withdrawn.status).toBe(204);
    expect((await invite(trudy!, first, bob)).status).toBe(202);
    const [listed] = (await call(mallory!, 'GET', `/conversations/${first}/invitations`)).body.invitations;
    expect(listed).toMatchObject({ invited_by: trudy!.id, accepted: false });
    await advertise(mallory!, bob);
    expect(await invitationsOf(bob)).toEqual([]);
  });

  it('AC-5 attack: a flood by many members at the same moment: 50 a day are shown, the rest is answered alike', async () => {
    const bob = await addTalker(server);
    const others = await acquaint(bob, 60);
    await Promise.all(others.map((other) => advertise(other, bob)));
    expect(await invitationsOf(bob)).toHaveLength(50);
  });

  it('AC-5 attack: as many of strangers wait as may: those of contacts are shown all the same', async () => {
    const bob = await addTalker(server);
    const others = await acquaint(bob, 5);
    for (let day = 0; day < 3; day++) {
      for (const other of others) for (let n = 0; n < 10; n++) await advertise(other, bob);
      await server.editDatabase(
        `update group_invitations set heard_at = heard_at - interval '1 day' where account_id = '${bob.id}'`,
      );
    }
    expect(await invitationsOf(bob)).toHaveLength(100);
    const friend = await addTalker(server);
    await befriend(server, bob.id, friend.id);
    await advertise(friend, bob, 'Holidays');
    expect((await invitationsOf(bob))[0]).toMatchObject({ title: 'Holidays' });
  });

  it('AC-5 AC-6 attack: invited at the moment of the block: nothing of it is shown', async () => {
    for (let i = 0; i < 10; i++) {
      const bob = await addTalker(server);
      const [mallory] = await acquaint(bob, 1);
      const made = await Promise.all([
        ...Array.from({ length: 4 }, () => advertise(mallory!, bob)),
        block(bob, mallory!),
      ]);
      expect(made).toHaveLength(5);
      expect(await invitationsOf(bob)).toEqual([]);
    }
  });
});

describe('AC-4 AC-5 attack: people of long ago', () => {
  it('AC-4 AC-5 attack: whoever was removed long ago is no member of a shared group: not asked, not heard', async () => {
    const [owner, bob, mallory] = [await addTalker(server), await addTalker(server), await addTalker(server)];
    await befriend(server, owner.id, bob.id);
    await befriend(server, owner.id, mallory.id);
    const id = (await group(owner, bob, mallory)).body.conversation_id;
    expect((await call(owner, 'DELETE', `/conversations/${id}/members/${mallory.id}`)).status).toBe(204);
    expect((await ask(mallory, { user_id: bob.id })).status).toBe(202);
    expect((await requestsOf(bob)).incoming).toEqual([]);
    const theirs = (await group(mallory)).body.conversation_id;
    await invite(mallory, theirs, bob);
    expect((await call(bob, 'GET', '/group-invitations')).body.invitations).toEqual([]);
    // Nor those whom they left behind; but they can be blocked.
    expect((await ask(bob, { user_id: mallory.id })).status).toBe(202);
    expect((await requestsOf(mallory)).incoming).toEqual([]);
    expect((await block(bob, mallory)).status).toBe(201);
  });

  it('AC-5 what was accepted can be taken back until someone signs', async () => {
    const [owner, bob] = [await addTalker(server), await addTalker(server)];
    await befriend(server, owner.id, bob.id);
    const id = (await group(owner, bob)).body.conversation_id;
    await call(bob, 'DELETE', `/conversations/${id}/members/${bob.id}`);
    const invitation = await inviteAndAccept(owner, bob, id);
    const mine = async () => (await call(bob, 'GET', '/group-invitations')).body.invitations;
    expect(await mine()).toMatchObject([{ invitation_id: invitation, accepted: true }]);
    expect((await call(bob, 'POST', `/group-invitations/${invitation}/decline`)).status).toBe(204);
    expect(await mine()).toEqual([]);
    expect(codeOfError(await add(owner, id, bob))).toEqual([403, 'INVITATION_REQUIRED']);
    const { invitations } = (await call(owner, 'GET', `/conversations/${id}/invitations`)).body;
    expect(invitations).toMatchObject([{ user_id: bob.id, accepted: false }]);
  });

  it('AC-4 AC-5 attack: a deleted account looks to whoever asked or invited it as before', async () => {
    const [mallory, gone, there] = [await addTalker(server), await addTalker(server), await addTalker(server)];
    const id = (await group(mallory)).body.conversation_id;
    for (const other of [gone, there]) {
      await ask(mallory, { code: await codeOf(other) });
      await befriend(server, mallory.id, other.id);
      await invite(mallory, id, other);
    }
    const seen = async () => {
      const { outgoing } = await requestsOf(mallory);
      const { invitations } = (await call(mallory, 'GET', `/conversations/${id}/invitations`)).body;
      return [outgoing, invitations.map(({ name: _, ...one }: { name: string }) => one)];
    };
    const before = await seen();
    expect(before.map((list) => list.length)).toEqual([2, 2]);
    await server.platform.db.transaction().execute((trx) => forgetPeople(trx, gone.id));
    expect(await seen()).toEqual(before);
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

  it('AC-6 attack: keys tell the blocked nothing: they get as many one-time keys as anyone, and no more', async () => {
    const { one: bob, other: mallory } = await pair();
    const control = await addTalker(server);
    await befriend(server, bob.id, control.id);
    await start(control, bob);
    const keys = Array.from({ length: 40 }, (_, n) => ({
      owner_kind: 'device' as const,
      owner_id: bob.deviceId,
      key_id: n + 1,
      public_key: 'A'.repeat(43),
    }));
    await server.platform.db.insertInto('one_time_prekeys').values(keys).execute();
    await block(bob, mallory);
    const take = async (who: Talker) => {
      const { status, body } = await call(who, 'POST', '/keys/bundles', { devices: [bob.deviceId] });
      return [status, body.bundles.map((one: { one_time_prekey: unknown }) => one.one_time_prekey !== null)];
    };
    for (let n = 0; n < 12; n++) {
      const [blocked, anyone] = [await take(mallory), await take(control)];
      expect([n, blocked]).toEqual([n, anyone]);
      expect([n, blocked]).toEqual([n, [200, [n < 10]]]);
    }
  });

  it('AC-6 attack: only the blocking one sees the block', async () => {
    const { one: bob, other: mallory } = await pair();
    await block(bob, mallory);
    const exported = JSON.stringify((await call(mallory, 'GET', '/auth/account/export')).body);
    expect(JSON.parse(exported).blocked).toEqual([]);
    expect((await call(mallory, 'GET', '/contacts/blocked')).body).toEqual({ blocked: [], unblocked: [] });
    expect((await call(bob, 'GET', '/contacts/blocked')).body.blocked).toMatchObject([{ user_id: mallory.id }]);
    await call(bob, 'DELETE', `/contacts/blocked/${mallory.id}`);
    expect((await call(bob, 'GET', '/contacts/blocked')).body).toEqual({ blocked: [], unblocked: [mallory.id] });
    expect((await call(mallory, 'GET', '/contacts/blocked')).body).toEqual({ blocked: [], unblocked: [] });
  });

  it('AC-6 attack: through their agent in a shared group: whoever blocks is told which agents are theirs', async () => {
    const { one: bob, other: mallory } = await pair();
    const ada = await addTalker(server);
    await befriend(server, ada.id, bob.id, mallory.id);
    const [inside, late, elsewhere, other] = [
      await addBot(server, mallory, { groups: true }),
      await addBot(server, mallory, { groups: true }),
      await addBot(server, mallory, { groups: true }),
      await addBot(server, ada, { groups: true }),
    ];
    const id = (await group(ada, bob, mallory)).body.conversation_id;
    const addAgent = (who: Speaker, groupId: string, agent: Speaker) =>
      call(who, 'POST', `/conversations/${groupId}/members`, { kind: 'agent', id: agent.id });
    for (const agent of [inside, other]) expect((await addAgent(ada, id, agent)).status).toBe(200);
    const theirs = (await group(mallory)).body.conversation_id;
    expect((await addAgent(mallory, theirs, elsewhere)).status).toBe(200);
    const blocked = await block(bob, mallory);
    expect(blocked.body).toMatchObject({ user_id: mallory.id, agent_ids: [inside.id] });
    // One that comes later, and one that has left: what it wrote may still come.
    expect((await addAgent(ada, id, late)).status).toBe(200);
    expect((await call(ada, 'DELETE', `/conversations/${id}/members/${inside.id}`)).status).toBe(204);
    const named = async (who: Speaker) => (await call(who, 'GET', '/contacts/blocked')).body.blocked;
    expect((await named(bob))[0].agent_ids.sort()).toEqual([inside.id, late.id].sort());
    expect(await named(mallory)).toEqual([]);
    expect(await named(ada)).toEqual([]);
  });

  it('AC-6 attack: accepted, then blocked: their device signs nobody in, and nor does another on their word', async () => {
    for (const signer of ['inviter', 'owner'] as const) {
      const [owner, mallory, bob] = [await addTalker(server), await addTalker(server), await addTalker(server)];
      await befriend(server, owner.id, mallory.id);
      await befriend(server, mallory.id, bob.id);
      const id = (await group(owner, mallory)).body.conversation_id;
      await call(owner, 'POST', `/conversations/${id}/members`, { ...human(mallory), role: 'admin' });
      const invitation = await inviteAndAccept(mallory, bob, id);
      expect((await call(bob, 'GET', '/group-invitations')).body.invitations).toMatchObject([{ accepted: true }]);
      await block(bob, mallory);
      expect((await call(bob, 'GET', '/group-invitations')).body.invitations).toEqual([]);
      const by = signer === 'inviter' ? mallory : owner;
      expect(codeOfError(await add(by, id, bob))).toEqual([403, 'INVITATION_REQUIRED']);
      expect((await call(bob, 'POST', `/group-invitations/${invitation}/accept`)).status).toBe(404);
      expect((await call(bob, 'GET', `/conversations/${id}`)).status).toBe(404);
      // After the block has ended they have to ask again.
      await call(bob, 'DELETE', `/contacts/blocked/${mallory.id}`);
      expect((await call(bob, 'POST', `/group-invitations/${invitation}/accept`)).status).toBe(404);
    }
  });

  it('AC-6 attack: invited by someone else, accepted: whom they have blocked since does not sign them in', async () => {
    const [owner, mallory, bob] = [await addTalker(server), await addTalker(server), await addTalker(server)];
    await befriend(server, owner.id, mallory.id, bob.id);
    const id = (await group(owner, mallory)).body.conversation_id;
    await call(owner, 'POST', `/conversations/${id}/members`, { ...human(mallory), role: 'admin' });
    await inviteAndAccept(owner, bob, id);
    await block(bob, mallory);
    expect(codeOfError(await add(mallory, id, bob))).toEqual([403, 'INVITATION_REQUIRED']);
    expect((await add(owner, id, bob)).status).toBe(200);
  });

  it('AC-6 attack: what one asked or offered the blocked before is accepted by them: nothing comes of it', async () => {
    const [bob, mallory] = [await addTalker(server), await addTalker(server)];
    const code = await codeOf(mallory);
    await ask(bob, { code });
    const [{ request_id }] = (await requestsOf(mallory)).incoming;
    await ask(mallory, { code: await codeOf(bob) }).catch(() => {});
    // Both have asked, so they are contacts now; the two below are not.
    expect((await call(bob, 'GET', '/contacts')).body.contacts).toHaveLength(1);
    expect((await call(mallory, 'POST', `/contacts/requests/${request_id}/accept`)).status).toBe(404);

    const [ada, eva] = [await addTalker(server), await addTalker(server)];
    await befriend(server, bob.id, ada.id);
    await befriend(server, bob.id, eva.id);
    const shared = (await group(bob, ada, eva)).body.conversation_id;
    await ask(ada, { code: await codeOf(eva) });
    const [waiting] = (await requestsOf(eva)).incoming;
    const theirs = (await group(ada)).body.conversation_id;
    const { invitation_id } = (await invite(ada, theirs, eva)).body;
    await block(ada, eva);
    expect((await call(eva, 'POST', `/contacts/requests/${waiting.request_id}/accept`)).status).toBe(404);
    expect((await requestsOf(eva)).incoming).toEqual([]);
    expect((await ask(eva, { code: await codeOf(ada) })).body.contact).toBeNull();
    expect((await ask(eva, { user_id: ada.id })).body.contact).toBeNull();
    expect((await call(eva, 'POST', `/group-invitations/${invitation_id}/accept`)).status).toBe(404);
    for (const who of [ada, eva]) {
      const contacts = (await call(who, 'GET', '/contacts')).body.contacts;
      expect(contacts.map(({ user_id }: { user_id: string }) => user_id)).toEqual([bob.id]);
    }
    const told = (await eventsOf(server, 'human', ada.id)).filter(({ type }) => type === 'contact.accepted');
    expect(told).toEqual([]);
    // Blocking and asking again is no way to be heard more often.
    await call(ada, 'DELETE', `/contacts/blocked/${eva.id}`);
    await ask(ada, { user_id: eva.id });
    expect((await requestsOf(eva)).incoming).toEqual([]);
    expect((await call(ada, 'GET', `/conversations/${shared}`)).status).toBe(200);
    const received = (await call(eva, 'GET', '/auth/account/export')).body.received_requests;
    expect(received).toEqual([]);
  });

  it('AC-6 attack: typing right after the block, by a socket that remembers who hears it', async () => {
    const { one: bob, other: mallory, id } = await pair();
    const [listening, live] = [await connect(server, bob), await connect(server, mallory)];
    // Another socket of the same person hears what is typed, whoever else does.
    const witness = await connect(server, mallory);
    const typed = (frames: readonly { type: string }[]) => frames.filter(({ type }) => type === 'typing').length;
    const type = (times: number) => {
      live.send({ type: 'typing', conversation_id: id });
      return witness.until((frames) => typed(frames) >= times);
    };
    await type(1);
    await listening.next('typing');
    await block(bob, mallory);
    await type(2);
    await type(3);
    await call(bob, 'DELETE', `/contacts/blocked/${mallory.id}`);
    await type(4);
    await listening.until((frames) => typed(frames) >= 2);
    await say(mallory, id);
    await listening.next('message.new');
    expect(typed(listening.frames)).toBe(2);
    await Promise.all([listening.end(), live.end(), witness.end()]);
  });

  it('AC-6 attack: how far the blocked have read is shown to whoever blocked them as little as the other way', async () => {
    const { one: bob, other: mallory, id } = await pair();
    const ada = await addTalker(server);
    await befriend(server, ada.id, bob.id, mallory.id);
    const shared = (await group(ada, bob, mallory)).body.conversation_id;
    for (const conversation of [id, shared]) await say(bob, conversation);
    await block(bob, mallory);
    const [listening, control] = [await connect(server, bob), await connect(server, ada)];
    for (const conversation of [id, shared]) {
      expect((await call(mallory, 'POST', `/conversations/${conversation}/read`, { seq: 1 })).status).toBe(204);
    }
    await control.next('message.read');
    await call(ada, 'POST', `/conversations/${shared}/read`, { seq: 1 });
    await listening.next(({ type, reader }) => type === 'message.read' && (reader as { id: string }).id === ada.id);
    expect(listening.frames.filter(({ type }) => type === 'message.read')).toHaveLength(1);
    await Promise.all([listening.end(), control.end()]);
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
    // Whoever was not shown asks again on another day, and sees no difference; nor is anyone told twice a day.
    const lost = askers[55]!;
    const outgoing = (await requestsOf(lost)).outgoing;
    expect(without(await ask(lost, { code }))).toEqual(without(replies[55]!));
    expect((await requestsOf(bob)).incoming).toHaveLength(50);
    server.clock.advance(DAY_MS + 1_000);
    expect((await ask(await relogin(lost), { code })).body).toEqual(replies[55]!.body);
    expect((await ask(await relogin(askers[0]!), { code })).body).toEqual(replies[0]!.body);
    const now = (await requestsOf(await relogin(bob))).incoming;
    expect([now.length, now.filter((one: { user_id: string }) => one.user_id === lost.id).length]).toEqual([51, 1]);
    expect((await requestsOf(await relogin(lost))).outgoing).toEqual(outgoing);
    // A new code: whoever knew the old one is not heard any more.
    await call(await relogin(bob), 'POST', '/contacts/code');
    server.clock.advance(DAY_MS + 1_000);
    await ask(await addTalker(server), { code });
    expect((await requestsOf(await relogin(bob))).incoming).toHaveLength(51);
  });

  it('AC-4 attack: a flood by many accounts at the same moment: 50 are shown, not one more', async () => {
    const bob = await addTalker(server);
    const code = await codeOf(bob);
    const askers = await Promise.all(Array.from({ length: 80 }, () => addTalker(server)));
    await Promise.all(askers.map((asker) => ask(asker, { code })));
    expect((await requestsOf(bob)).incoming).toHaveLength(50);
  });

  it('AC-4 attack: a flood whose requests were not shown comes back the next day: 50 are shown then, no more', async () => {
    const bob = await addTalker(server);
    const code = await codeOf(bob);
    const askers = await Promise.all(Array.from({ length: 110 }, () => addTalker(server)));
    for (const asker of askers) await ask(asker, { code });
    server.clock.advance(DAY_MS + 1_000);
    for (const asker of askers) await ask(await relogin(asker), { code });
    expect((await requestsOf(await relogin(bob))).incoming).toHaveLength(100);
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
