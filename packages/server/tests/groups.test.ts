import { type GroupStatement, groupStatementHash } from '@parley/protocol';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createId } from '../src/id.ts';
import { PASSWORD, signInAgain, signUpWithDevice } from './harness/accounts.ts';
import { befriend } from './harness/contacts.ts';
import { addition, nextStatement, revocation } from './harness/device-list.ts';
import { type GroupSigner, groupStatement } from './harness/groups.ts';
import { makeDeviceKeys, makeKeys } from './harness/keys.ts';
import { eventsOf } from './harness/relations.ts';
import { type Reply, startTestServer, type TestServer } from './harness/server.ts';
import { addBot, addTalker, type Bot, type Talker } from './harness/talk.ts';

// EE-20: who is in a group is what its owner and admins signed.

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

type Person = Awaited<ReturnType<typeof signUpWithDevice>>;
const by = ({ id, deviceId, keys }: Person): GroupSigner => ({ accountId: id, deviceId, key: keys.identity });
const human = ({ id }: { id: string }, role: 'admin' | 'member' = 'member') => ({ kind: 'human' as const, id, role });
const party = ({ id }: { id: string }) => ({ kind: 'human' as const, id });
const withoutRole = ({ kind, id }: { kind: string; id: string }) => ({ kind, id });
const call = (who: { token: string }, method: string, path: string, body?: unknown) =>
  server.call(method, path, { token: who.token, ...(body === undefined ? {} : { body }) });
const problemOf = ({ status, body }: Reply) => [status, body.error?.code, body.error?.params?.problem];
const INVALID = (problem: string) => [422, 'STATEMENT_INVALID', problem];

/** Who signs up costs a password; so the same people are in all groups. */
let ann: Person;
let bob: Person;
let eve: Person;
let carl: Talker;
beforeAll(async () => {
  [ann, bob, eve] = [await signUpWithDevice(server), await signUpWithDevice(server), await signUpWithDevice(server)];
  carl = await addTalker(server);
  await befriend(server, ann.id, bob.id, eve.id, carl.id);
});

interface Group {
  readonly id: string;
  readonly statements: GroupStatement[];
}

const creation = (members: readonly ReturnType<typeof human>[], title: string | null = 'Tea') => ({
  action: 'create' as const,
  title,
  members: [...members],
});
const begin = (who: Person, { id, statements }: Group, more: object = {}) => {
  const [statement] = statements as [Extract<GroupStatement, { action: 'create' }>];
  const members = statement.members.map(withoutRole);
  const title = statement.title === null ? {} : { title: statement.title };
  return call(who, 'POST', '/conversations', {
    kind: 'group',
    conversation_id: id,
    statement,
    members,
    ...title,
    ...more,
  });
};
const describeGroup = (who: Person, members: readonly ReturnType<typeof human>[], title?: string | null): Group => {
  const id = createId();
  return { id, statements: [groupStatement(id, by(who), creation(members, title))] };
};
/** Ann's, with Bob as an admin. */
async function makeGroup(): Promise<Group> {
  const group = describeGroup(ann, [human(bob, 'admin')]);
  const { status, body } = await begin(ann, group);
  expect([status, body.error]).toEqual([201, undefined]);
  return group;
}
const next = ({ id, statements }: Group, signer: GroupSigner, content: Parameters<typeof groupStatement>[2]) =>
  groupStatement(id, signer, content, statements);
const add = (who: { token: string }, { id }: Group, member: ReturnType<typeof human>, statement?: GroupStatement) =>
  call(who, 'POST', `/conversations/${id}/members`, { ...member, ...(statement ? { statement } : {}) });
const remove = (who: { token: string }, { id }: Group, memberId: string, statement?: GroupStatement) =>
  call(who, 'DELETE', `/conversations/${id}/members/${memberId}`, statement ? { statement } : undefined);
const rolesIn = async (who: { token: string }, { id }: Group) => {
  const { members } = (await call(who, 'GET', `/conversations/${id}`)).body;
  return Object.fromEntries(members.map((member: { id: string; role: string }) => [member.id, member.role]));
};
const read = async (who: { token: string }, { id }: Group, after = 0) =>
  (await call(who, 'GET', `/conversations/${id}/statements?after=${after}`)).body;

/** Whoever was in a group before has to accept (AC-5). */
async function acceptInvitation(who: Person, { id }: Group, invited: { id: string; token: string }): Promise<void> {
  const { body } = await call(who, 'POST', `/conversations/${id}/invitations`, { user_id: invited.id });
  const path = `/group-invitations/${body.invitation_id}/accept`;
  expect((await call(invited, 'POST', path)).body).toEqual({ conversation_id: id, joined: false });
}

/** Adds by Ann's hand. */
async function join(group: Group, member: ReturnType<typeof human>): Promise<void> {
  const statement = next(group, by(ann), { action: 'set', member });
  const reply = await add(ann, group, member, statement);
  expect([reply.status, reply.body.error]).toEqual([200, undefined]);
  group.statements.push(statement);
}

describe('EE-20 beginning a group', () => {
  it('EE-20 the id and the members are what its creator signed, roles included', async () => {
    const group = await makeGroup();
    expect(await rolesIn(ann, group)).toEqual({ [ann.id]: 'owner', [bob.id]: 'admin' });
    const head = groupStatementHash(group.statements[0]!);
    expect(await read(bob, group)).toEqual({ statements: group.statements, length: 1, head });
    expect((await call(ann, 'GET', `/conversations/${group.id}`)).body.title).toBe('Tea');
  });

  it('EE-20 attack: the request says other members or another title than the statement', async () => {
    const group = describeGroup(ann, [human(bob), human(carl)]);
    for (const members of [[], [human(bob)], [human(bob), human(eve)], [human(bob), human(carl), human(eve)]]) {
      expect(problemOf(await begin(ann, group, { members: members.map(withoutRole) }))).toEqual(INVALID('member'));
    }
    expect(problemOf(await begin(ann, group, { title: 'Coffee' }))).toEqual(INVALID('title'));
    const untitled = describeGroup(ann, [], null);
    expect(problemOf(await begin(ann, untitled, { title: 'Tea' }))).toEqual(INVALID('title'));
    expect((await begin(ann, untitled)).status).toBe(201);
    const twice = describeGroup(ann, [human(bob), human(bob)]);
    expect(problemOf(await begin(ann, twice))).toEqual(INVALID('member'));
    const withOwner = describeGroup(ann, [human(ann)]);
    expect(problemOf(await begin(ann, withOwner))).toEqual(INVALID('member'));
    expect((await call(ann, 'GET', `/conversations/${group.id}`)).status).toBe(404);
  });

  it('EE-20 attack: by someone else, by another device, with a foreign signature, for another conversation', async () => {
    const group = describeGroup(ann, [human(bob)]);
    expect(problemOf(await begin(eve, group))).toEqual(INVALID('author'));
    const content = creation([human(bob)]);
    const elsewhere = groupStatement(createId(), by(ann), content);
    const forged: [string, GroupStatement][] = [
      ['author', groupStatement(group.id, { ...by(ann), deviceId: bob.deviceId } as GroupSigner, content)],
      ['signature', groupStatement(group.id, { ...by(ann), key: bob.keys.identity }, content)],
      ['signature', { ...group.statements[0]!, created_at: '2026-01-02T03:04:06.000Z' }],
      ['conversation', elsewhere],
    ];
    for (const [problem, statement] of forged) {
      expect(problemOf(await begin(ann, group, { statement }))).toEqual(INVALID(problem));
    }
    const later = groupStatement(group.id, by(ann), { ...content, seq: 2, prev: 'a'.repeat(64) });
    expect((await begin(ann, group, { statement: later })).body).toMatchObject({ head: null, length: 0 });
    const set = groupStatement(group.id, by(ann), { action: 'set', member: human(bob) });
    expect(problemOf(await begin(ann, group, { statement: set }))).toEqual(INVALID('action'));
  });

  it('EE-20 attack: a device that the list does not have signs', async () => {
    const device = { id: createId(), keys: makeDeviceKeys() };
    const { db } = server.platform;
    const keys = { identity_key: device.keys.identity.publicKey, exchange_key: device.keys.exchange.publicKey };
    const row = { id: device.id, account_id: carl.id, name: 'ghost', ...keys };
    // Its row says that it is listed; there is no list that says so.
    await db
      .insertInto('devices')
      .values({ ...row, listed: true })
      .execute();
    await db.updateTable('sessions').set({ device_id: device.id }).where('id', '=', carl.caller.sessionId).execute();
    const ghost: GroupSigner = { accountId: carl.id, deviceId: device.id, key: device.keys.identity };
    const id = createId();
    const statement = groupStatement(id, ghost, creation([]));
    const body = { kind: 'group', conversation_id: id, title: 'Tea', members: [], statement };
    expect(problemOf(await call(carl, 'POST', '/conversations', body))).toEqual(INVALID('author'));
  });

  it('EE-20 an id that is taken makes no group, and nobody a member of the other', async () => {
    const group = await makeGroup();
    const statement = groupStatement(group.id, by(eve), creation([]));
    const reply = await begin(eve, { id: group.id, statements: [statement] });
    expect([reply.status, reply.body.error.code]).toEqual([409, 'ID_TAKEN']);
    expect((await call(eve, 'GET', `/conversations/${group.id}`)).status).toBe(404);
    const plain = { kind: 'group', conversation_id: group.id, members: [] };
    expect((await call(ann, 'POST', '/conversations', plain)).body.error.code).toBe('ID_TAKEN');
  });

  it('EE-20 a lost reply: the same request again is the same group, for those who are in it', async () => {
    const group = await makeGroup();
    expect((await begin(ann, group)).body).toMatchObject({ conversation_id: group.id });
    expect((await read(ann, group)).length).toBe(1);
    await remove(ann, group, ann.id);
    expect((await begin(ann, group)).status).toBe(404);
  });

  it('EE-20 a conversation of two takes neither an id nor a statement', async () => {
    const members = [{ kind: 'human', id: bob.id }];
    const pair = { kind: 'h2h', members };
    const [statement] = describeGroup(ann, [human(bob)]).statements;
    expect((await call(ann, 'POST', '/conversations', { ...pair, conversation_id: createId() })).status).toBe(400);
    expect((await call(ann, 'POST', '/conversations', { ...pair, statement })).status).toBe(400);
    const group = { kind: 'group', members, statement };
    expect((await call(ann, 'POST', '/conversations', group)).status).toBe(400);
  });
});

describe('EE-20 changing a group', () => {
  let group: Group;
  beforeEach(async () => {
    group = await makeGroup();
  });

  it('EE-20 an addition, a new role and a removal bring statements that say the same', async () => {
    await join(group, human(eve));
    await join(group, human(eve, 'admin'));
    expect(await rolesIn(ann, group)).toEqual({ [ann.id]: 'owner', [bob.id]: 'admin', [eve.id]: 'admin' });
    const out = next(group, by(ann), { action: 'remove', member: { kind: 'human', id: eve.id } });
    expect((await remove(ann, group, eve.id, out)).status).toBe(204);
    group.statements.push(out);
    const head = groupStatementHash(out);
    expect(await read(ann, group)).toEqual({ statements: group.statements, length: 4, head });
    expect((await read(bob, group, 2)).statements).toEqual(group.statements.slice(2));
    expect((await call(eve, 'GET', `/conversations/${group.id}/statements`)).status).toBe(404);
  });

  it('EE-20 attack: a change without a statement, or with one that says something else', async () => {
    expect(problemOf(await add(ann, group, human(eve)))).toEqual(INVALID('missing'));
    expect(problemOf(await remove(ann, group, bob.id))).toEqual(INVALID('missing'));
    const set = (member: ReturnType<typeof human>) => next(group, by(ann), { action: 'set', member });
    const out = next(group, by(ann), { action: 'remove', member: { kind: 'human', id: bob.id } });
    for (const statement of [set(human(carl)), set(human(eve, 'admin')), out]) {
      expect(problemOf(await add(ann, group, human(eve), statement))).toEqual(INVALID('member'));
    }
    const asAgent = next(group, by(ann), { action: 'remove', member: { kind: 'agent', id: bob.id } });
    const other = next(group, by(ann), { action: 'remove', member: { kind: 'human', id: eve.id } });
    for (const statement of [asAgent, other, set(human(bob))]) {
      expect(problemOf(await remove(ann, group, bob.id, statement))).toEqual(INVALID('member'));
    }
    expect(await rolesIn(ann, group)).toEqual({ [ann.id]: 'owner', [bob.id]: 'admin' });
    expect((await read(ann, group)).length).toBe(1);
  });

  it('EE-20 attack: a member, an admin or a stranger says what only others may', async () => {
    await join(group, human(eve));
    const set = (member: ReturnType<typeof human>, who: Person) => next(group, by(who), { action: 'set', member });
    expect((await add(eve, group, human(carl), set(human(carl), eve))).status).toBe(403);
    expect((await add(bob, group, human(carl, 'admin'), set(human(carl, 'admin'), bob))).status).toBe(403);
    expect((await add(bob, group, human(eve, 'admin'), set(human(eve, 'admin'), bob))).status).toBe(403);
    const ousting = next(group, by(bob), { action: 'remove', member: { kind: 'human', id: ann.id } });
    expect((await remove(bob, group, ann.id, ousting)).status).toBe(403);
    const outsider = await signUpWithDevice(server);
    expect((await add(outsider, group, human(carl), set(human(carl), outsider))).status).toBe(404);
    // Someone's words under someone else's session.
    expect(problemOf(await add(bob, group, human(carl), set(human(carl), ann)))).toEqual(INVALID('author'));
    expect((await read(ann, group)).length).toBe(2);
  });

  it('EE-20 attack: a row that says more than the chain does not help its owner', async () => {
    await join(group, human(eve));
    const { db } = server.platform;
    await db
      .updateTable('members')
      .set({ role: 'admin' })
      .where('conversation_id', '=', group.id)
      .where('member_id', '=', eve.id)
      .execute();
    const statement = next(group, by(eve), { action: 'set', member: human(carl) });
    expect(problemOf(await add(eve, group, human(carl), statement))).toEqual(INVALID('author'));
  });

  it('EE-20 attack: a stale head, a number skipped, a replay of what was undone', async () => {
    const stale = next(group, by(bob), { action: 'set', member: human(carl) });
    await join(group, human(eve));
    const joined = group.statements.at(-1)!;
    const out = next(group, by(ann), { action: 'remove', member: { kind: 'human', id: eve.id } });
    await remove(ann, group, eve.id, out);
    group.statements.push(out);
    const head = groupStatementHash(out);
    const skipped = next(group, by(bob), { action: 'set', member: human(carl), seq: 9 });
    for (const statement of [stale, skipped]) {
      const { status, body } = await add(bob, group, human(carl), statement);
      expect([status, body]).toMatchObject([409, { error: { code: 'STATEMENT_CONFLICT' }, head, length: 3 }]);
    }
    // Eve was added once; the same words do not add her again.
    expect((await add(ann, group, human(eve), joined)).status).toBe(200);
    expect(await rolesIn(ann, group)).toEqual({ [ann.id]: 'owner', [bob.id]: 'admin' });
  });

  it('EE-20 attack: of ten changes at once one is stored, the others learn the head', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => addTalker(server)));
    await befriend(server, ann.id, bob.id, ...people.map(({ id }) => id));
    const attempts = [ann, bob].flatMap((who) =>
      people.map((one) => ({ who, one, statement: next(group, by(who), { action: 'set', member: human(one) }) })),
    );
    const replies = await Promise.all(
      attempts.map(({ who, one, statement }) => add(who, group, human(one), statement)),
    );
    const won = replies.findIndex(({ status }) => status === 200);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(9);
    const head = groupStatementHash(attempts[won]!.statement);
    for (const { status, body } of replies) if (status === 409) expect(body).toMatchObject({ head, length: 2 });
    expect(Object.keys(await rolesIn(ann, group))).toHaveLength(3);
  });

  it('EE-20 a lost reply: the same change again is answered as it was', async () => {
    const statement = next(group, by(ann), { action: 'set', member: human(eve) });
    const [first, again] = [await add(ann, group, human(eve), statement), await add(ann, group, human(eve), statement)];
    expect(again).toMatchObject({ status: 200, body: first.body });
    expect((await read(ann, group)).length).toBe(2);
  });

  it('EE-20 all are told of a change, those who were taken out, too', async () => {
    await join(group, human(eve));
    const events = (await eventsOf(server, 'human', eve.id)).filter(
      ({ type }) => type === 'conversation.members_changed',
    );
    expect(events.map(({ payload }) => payload)).toContainEqual({
      conversation_id: group.id,
      added: [human(eve)],
      removed: [],
    });
  });
});

describe('EE-20 leaving a group', () => {
  const leaving = (group: Group, who: Person, next_owner?: string) =>
    next(group, by(who), {
      action: 'remove',
      member: { kind: 'human', id: who.id },
      ...(next_owner === undefined ? {} : { next_owner }),
    });

  it('EE-20 with a statement, or by the server’s word alone', async () => {
    const group = await makeGroup();
    await join(group, human(eve));
    const out = leaving(group, eve);
    expect((await remove(eve, group, eve.id, out)).status).toBe(204);
    expect((await remove(bob, group, bob.id)).status).toBe(204);
    expect(await rolesIn(ann, group)).toEqual({ [ann.id]: 'owner' });
    expect((await read(ann, group)).statements.at(-1)).toEqual(out);
  });

  it('EE-20 the next owner is the one whom the owner names, and nobody where none is named', async () => {
    const [named, unnamed] = [await makeGroup(), await makeGroup()];
    for (const group of [named, unnamed]) await join(group, human(eve));
    expect((await remove(ann, named, ann.id, leaving(named, ann, eve.id))).status).toBe(204);
    expect(await rolesIn(bob, named)).toEqual({ [bob.id]: 'admin', [eve.id]: 'owner' });
    expect((await remove(ann, unnamed, ann.id, leaving(unnamed, ann))).status).toBe(204);
    expect(await rolesIn(bob, unnamed)).toEqual({ [bob.id]: 'admin', [eve.id]: 'member' });
  });

  it('EE-20 without a statement the server makes nobody the owner', async () => {
    const group = await makeGroup();
    expect((await remove(ann, group, ann.id)).status).toBe(204);
    expect(await rolesIn(bob, group)).toEqual({ [bob.id]: 'admin' });
  });

  it('EE-20 attack: someone who leaves names an owner, or an owner names a stranger', async () => {
    const group = await makeGroup();
    await join(group, human(eve));
    expect(problemOf(await remove(bob, group, bob.id, leaving(group, bob, eve.id)))).toEqual(INVALID('member'));
    expect(problemOf(await remove(ann, group, ann.id, leaving(group, ann, carl.id)))).toEqual(INVALID('member'));
  });

  it('EE-20 who left without a statement is still in the chain, until one takes them out', async () => {
    const group = await makeGroup();
    await join(group, human(eve));
    await remove(eve, group, eve.id);
    const again = next(group, by(bob), { action: 'set', member: human(eve) });
    expect((await add(bob, group, human(eve), again)).body.error.code).toBe('INVITATION_REQUIRED');
    await acceptInvitation(bob, group, eve);
    // An admin can add strangers, but Eve is none by the chain: her entry is taken out first.
    expect(problemOf(await add(bob, group, human(eve), again))).toEqual(INVALID('author'));
    const out = next(group, by(bob), { action: 'remove', member: { kind: 'human', id: eve.id } });
    expect((await remove(bob, group, eve.id, out)).status).toBe(204);
    group.statements.push(out);
    expect(problemOf(await remove(bob, group, eve.id))).toEqual(INVALID('missing'));
    const back = next(group, by(bob), { action: 'set', member: human(eve) });
    expect((await add(bob, group, human(eve), back)).status).toBe(200);
    expect(await rolesIn(eve, group)).toMatchObject({ [eve.id]: 'member' });
  });

  it('EE-20 attack: a statement under a key of small order, which only some accept, would end the chain', async () => {
    const group = await makeGroup();
    const guest = await signUpWithDevice(server);
    await befriend(server, ann.id, guest.id);
    const identity_key = Buffer.from([1, ...new Uint8Array(31)]).toString('base64url');
    const { token } = await signInAgain(server, guest);
    const exchange_key = makeKeys('x25519').publicKey;
    const { body } = await call({ token }, 'POST', '/devices', { name: 'odd', identity_key, exchange_key });
    const device = { device_id: body.device_id, identity_key, exchange_key };
    const listed = nextStatement(guest.list, { action: 'add', device });
    expect((await call(guest, 'POST', '/devices/list', { statement: listed })).status).toBe(201);
    await join(group, human(guest));
    const odd: GroupSigner = { accountId: guest.id, deviceId: body.device_id, key: guest.keys.identity };
    const out = next(group, odd, { action: 'remove', member: { kind: 'human', id: guest.id } });
    const signature = Buffer.from([1, ...new Uint8Array(63)]).toString('base64url');
    expect(problemOf(await remove({ token }, group, guest.id, { ...out, signature }))).toEqual(INVALID('signature'));
  });

  describe('EE-20 agents', () => {
    let bot: Bot;
    let group: Group;
    beforeEach(async () => {
      bot = await addBot(server, carl, { groups: true });
      group = await makeGroup();
      const member = { kind: 'agent' as const, id: bot.id, role: 'member' as const };
      const statement = next(group, by(ann), { action: 'set', member });
      expect((await call(ann, 'POST', `/conversations/${group.id}/members`, { ...member, statement })).status).toBe(
        200,
      );
      group.statements.push(statement);
    });

    it('EE-20 an agent leaves without a word, and signs for nobody', async () => {
      const content = { action: 'remove' as const, member: { kind: 'agent' as const, id: bot.id } };
      expect(problemOf(await remove(bot, group, bot.id, next(group, by(ann), content)))).toEqual(INVALID('author'));
      const byBot = {
        ...next(group, by(ann), content),
        by: { kind: 'agent', id: bot.id },
      } as unknown as GroupStatement;
      expect((await remove(bot, group, bot.id, byBot)).status).toBe(400);
      expect((await remove(bot, group, bot.id)).status).toBe(204);
      expect((await read(ann, group)).statements).toEqual(group.statements);
    });

    it('EE-20 an agent reads the chain', async () => {
      expect((await read(bot, group)).statements).toEqual(group.statements);
    });
  });
});

describe('EE-20 groups that nobody has signed', () => {
  const plain = async (members: readonly { id: string }[]): Promise<Group> => {
    const body = { kind: 'group', title: 'Old', members: members.map((one) => withoutRole(human(one))) };
    return { id: (await call(ann, 'POST', '/conversations', body)).body.conversation_id, statements: [] };
  };
  const sign = (who: { token: string }, { id }: Group, statement: GroupStatement) =>
    call(who, 'POST', `/conversations/${id}/statements`, { statement });

  it('EE-20 keep working without statements; what they have is nothing', async () => {
    const group = await plain([bob]);
    expect((await add(ann, group, human(eve))).status).toBe(200);
    expect((await remove(ann, group, bob.id)).status).toBe(204);
    expect(await read(ann, group)).toEqual({ statements: [], length: 0, head: null });
    const statement = next(group, by(ann), { action: 'set', member: human(carl) });
    expect(problemOf(await add(ann, group, human(carl), statement))).toEqual(INVALID('action'));
  });

  it('EE-20 its owner signs exactly those who are in it, once; from then on changes are signed', async () => {
    const group = await plain([bob, eve]);
    await add(ann, group, human(bob, 'admin'));
    const statement = next(group, by(ann), creation([human(bob, 'admin'), human(eve)], 'Old'));
    expect((await sign(ann, group, statement)).body).toMatchObject({ conversation_id: group.id });
    expect((await sign(ann, group, statement)).status).toBe(200);
    expect((await read(eve, group)).statements).toEqual([statement]);
    expect(problemOf(await add(ann, group, human(carl)))).toEqual(INVALID('missing'));
    const other = groupStatement(group.id, by(ann), { ...creation([human(bob)], 'Old') });
    const head = groupStatementHash(statement);
    expect(await sign(ann, group, other)).toMatchObject({ status: 409, body: { head, length: 1 } });
    const second = next(
      { ...group, statements: [statement] },
      by(ann),
      creation([human(bob, 'admin'), human(eve)], 'Old'),
    );
    expect(problemOf(await sign(ann, group, second))).toEqual(INVALID('action'));
  });

  it('EE-20 attack: more, fewer or other members, other roles, another title', async () => {
    const group = await plain([bob, eve]);
    const wrong: [string, ReturnType<typeof creation>][] = [
      ['member', creation([human(bob)], 'Old')],
      ['member', creation([human(bob), human(eve), human(carl)], 'Old')],
      ['member', creation([human(bob), human(carl)], 'Old')],
      ['member', creation([human(bob), human(eve, 'admin')], 'Old')],
      ['title', creation([human(bob), human(eve)], 'New')],
    ];
    for (const [problem, content] of wrong) {
      expect(problemOf(await sign(ann, group, next(group, by(ann), content)))).toEqual(INVALID(problem));
    }
  });

  it('EE-20 attack: an admin, a member or a stranger signs, or the signature is someone else’s', async () => {
    const group = await plain([bob, eve]);
    await add(ann, group, human(bob, 'admin'));
    const members = [human(ann), human(bob, 'admin'), human(eve)];
    const content = (who: Person) =>
      creation(
        members.filter(({ id }) => id !== who.id),
        'Old',
      );
    for (const who of [bob, eve]) {
      expect((await sign(who, group, next(group, by(who), content(who)))).status).toBe(403);
    }
    expect((await sign(carl, group, next(group, by(ann), content(ann)))).status).toBe(404);
    expect(problemOf(await sign(ann, group, next(group, by(bob), content(bob))))).toEqual(INVALID('member'));
    const forged = next(group, { ...by(ann), key: bob.keys.identity }, content(ann));
    expect(problemOf(await sign(ann, group, forged))).toEqual(INVALID('signature'));
    expect((await read(ann, group)).length).toBe(0);
  });

  it('EE-20 a member who joins while the owner signs is not signed unseen', async () => {
    const group = await plain([bob]);
    const statement = next(group, by(ann), creation([human(bob)], 'Old'));
    await add(ann, group, human(eve));
    expect(problemOf(await sign(ann, group, statement))).toEqual(INVALID('member'));
  });

  it('EE-20 conversations that are no groups have no statements', async () => {
    const body = { kind: 'h2h', members: [withoutRole(human(bob))] };
    const id = (await call(ann, 'POST', '/conversations', body)).body.conversation_id;
    const pair: Group = { id, statements: [] };
    expect(await read(ann, pair)).toEqual({ statements: [], length: 0, head: null });
    expect((await sign(ann, pair, next(pair, by(ann), creation([human(bob)], null)))).status).toBe(403);
  });
});

describe('EE-18 statements of devices that were revoked', () => {
  /** Another device of the account, with a session of its own. */
  async function addDevice(person: Person): Promise<Person> {
    const { token } = await signInAgain(server, person);
    const keys = makeDeviceKeys();
    const device = { name: 'second', identity_key: keys.identity.publicKey, exchange_key: keys.exchange.publicKey };
    const { device_id: deviceId } = (await call({ token }, 'POST', '/devices', device)).body;
    await append(person, nextStatement(person.list, addition({ id: deviceId, keys })));
    return { ...person, token, deviceId, keys };
  }
  async function append(person: Person, statement: Person['list']['statements'][number]): Promise<void> {
    expect((await call(person, 'POST', '/devices/list', { statement })).status).toBe(201);
    person.list.statements.push(statement);
  }

  it('EE-18 attack: what a revoked device signed beyond the named head gives nobody the right to sign', async () => {
    const group = await makeGroup();
    const second = await addDevice(ann);
    const known = { kind: 'group' as const, id: group.id, length: 1, head: groupStatementHash(group.statements[0]!) };
    // The thief appoints Eve; nobody has seen it when the device is revoked.
    const appointed = next(group, by(second), { action: 'set', member: human(eve, 'admin') });
    expect((await add(second, group, human(eve, 'admin'), appointed)).status).toBe(200);
    group.statements.push(appointed);
    await append(ann, nextStatement(ann.list, revocation(second.deviceId, [known])));
    const accomplice = next(group, by(eve), { action: 'set', member: human(carl) });
    expect(problemOf(await add(eve, group, human(carl), accomplice))).toEqual(INVALID('author'));
    expect(await rolesIn(ann, group)).not.toHaveProperty(carl.id);
    // The chain goes on.
    const member = human(carl);
    const statement = next(group, by(ann), { action: 'set', member });
    expect((await add(ann, group, member, statement)).status).toBe(200);
  });

  it('EE-18 what its revocation names counts on', async () => {
    const group = await makeGroup();
    const second = await addDevice(ann);
    const appointed = next(group, by(second), { action: 'set', member: human(eve, 'admin') });
    await add(second, group, human(eve, 'admin'), appointed);
    group.statements.push(appointed);
    const known = { kind: 'group' as const, id: group.id, length: 2, head: groupStatementHash(appointed) };
    await append(ann, nextStatement(ann.list, revocation(second.deviceId, [known])));
    const statement = next(group, by(eve), { action: 'set', member: human(carl) });
    expect((await add(eve, group, human(carl), statement)).status).toBe(200);
  });

  it('EE-18 what a revocation names counts from when it is stored, also if that is later', async () => {
    const group = await makeGroup();
    const second = await addDevice(ann);
    const appointed = next(group, by(second), { action: 'set', member: human(eve, 'admin') });
    await add(second, group, human(eve, 'admin'), appointed);
    group.statements.push(appointed);
    // Signed, and not stored yet when the device is revoked.
    const member = human(carl);
    const later = next(group, by(ann), { action: 'set', member });
    const known = { kind: 'group' as const, id: group.id, length: 3, head: groupStatementHash(later) };
    await append(ann, nextStatement(ann.list, revocation(second.deviceId, [known])));
    expect((await add(ann, group, member, later)).status).toBe(200);
    group.statements.push(later);
    const statement = next(group, by(eve), { action: 'remove', member: party(carl) });
    expect((await remove(eve, group, carl.id, statement)).status).toBe(204);
  });
});

describe('OP-3 attack: groups with a long chain', () => {
  /** A group to which Ann has added Eve, and taken her out, many times. */
  async function makeLongGroup(): Promise<Group> {
    const group = await makeGroup();
    const rows = Array.from({ length: 60 }, () => {
      const isIn = group.statements.at(-1)!.action === 'set';
      const content = isIn
        ? { action: 'remove' as const, member: party(eve) }
        : { action: 'set' as const, member: human(eve) };
      const statement = next(group, by(ann), content);
      group.statements.push(statement);
      const { seq } = statement;
      return {
        conversation_id: group.id,
        seq,
        hash: groupStatementHash(statement),
        statement: JSON.stringify(statement),
      };
    });
    await server.platform.db.insertInto('group_statements').values(rows).execute();
    return group;
  }
  /** Whoever reads them again finds a chain that is broken. */
  const forgetStatements = ({ id }: Group) =>
    server.platform.db
      .updateTable('group_statements')
      .set({
        statement: JSON.stringify({ action: 'remove', member: { kind: 'human', id: eve.id }, by: { id: ann.id } }),
      })
      .where('conversation_id', '=', id)
      .execute();

  it('EE-20 OP-3 attack: adding and removing all the time: none of what was signed before is read again', async () => {
    const group = await makeLongGroup();
    await join(group, human(carl));
    await forgetStatements(group);
    const removed = party(carl);
    const gone = next(group, by(ann), { action: 'remove', member: removed });
    expect((await remove(ann, group, carl.id, gone)).status).toBe(204);
    group.statements.push(gone);
    const refused = next(group, by(ann), { action: 'remove', member: removed });
    expect(problemOf(await remove(ann, group, carl.id, refused))).toEqual(INVALID('member'));
    await join(group, human(eve));
    await acceptInvitation(ann, group, carl);
    await join(group, human(carl));
  });

  it('EE-20 OP-3 attack: a bad signature at the end of a long chain has nothing read at all', async () => {
    const group = await makeLongGroup();
    await forgetStatements(group);
    const statement = next(group, by(ann), { action: 'set', member: human(carl) });
    const forged = { ...statement, signature: `${statement.signature.slice(0, -4)}AAAA` };
    for (let i = 0; i < 2; i++) {
      expect(problemOf(await add(ann, group, human(carl), forged))).toEqual(INVALID('signature'));
    }
    expect(problemOf(await add(ann, group, human(carl), statement))).toEqual(INVALID('seq'));
  });
});

describe('EE-20 verifying what someone signed who is gone', () => {
  const lists = async (who: { token: string }, { id }: { id: string }) => call(who, 'GET', `/accounts/${id}/devices`);

  it('EE-20 members read the device list of everyone who signed, also of those who left; others do not', async () => {
    const founder = await signUpWithDevice(server);
    await befriend(server, founder.id, bob.id);
    const group = describeGroup(founder, [human(bob, 'admin')]);
    await begin(founder, group);
    const statement = next(group, by(bob), { action: 'set', member: human(eve) });
    await add(bob, group, human(eve), statement);
    await remove(founder, group, founder.id);
    const { status, body } = await lists(eve, founder);
    expect([status, body.statements]).toEqual([200, founder.list.statements]);
    expect((await lists(ann, founder)).status).toBe(404);
    // Only the list: nobody may write to someone who is gone.
    const bundles = await call(eve, 'POST', '/keys/bundles', { devices: [founder.deviceId] });
    expect(bundles.status).toBe(404);
    await remove(eve, group, eve.id);
    expect((await lists(eve, founder)).status).toBe(404);
  });

  it('EE-20 also of an account that was deleted: its keys stay, its devices and name do not', async () => {
    const founder = await signUpWithDevice(server);
    await befriend(server, founder.id, bob.id);
    const group = describeGroup(founder, [human(bob, 'admin')]);
    await begin(founder, group);
    const deleted = await call(founder, 'DELETE', '/auth/account', { account_password: PASSWORD });
    expect(deleted.status).toBe(204);
    const { status, body } = await lists(bob, founder);
    expect([status, body]).toMatchObject([
      200,
      { statements: founder.list.statements, length: 1, devices: [], account_key: null, revoked_devices: [] },
    ]);
    // Nobody inherits what was signed for someone else, and the group goes on.
    expect(await rolesIn(bob, group)).toEqual({ [bob.id]: 'admin' });
    const statement = next(group, by(bob), { action: 'set', member: human(eve) });
    expect((await add(bob, group, human(eve), statement)).status).toBe(200);
  });

  it('EE-20 attack: a member who never signed is not readable after leaving', async () => {
    const [group, guest] = [await makeGroup(), await signUpWithDevice(server)];
    await befriend(server, ann.id, guest.id);
    await join(group, human(guest));
    expect((await lists(bob, guest)).status).toBe(200);
    await remove(guest, group, guest.id);
    expect((await lists(bob, guest)).status).toBe(404);
  });
});
