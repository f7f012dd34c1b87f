import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createId } from '../src/id.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { connect } from './harness/socket.ts';
import { addBot, addTalker, relate } from './harness/talk.ts';

let server: TestServer;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer();
  admin = await createPerson('admin');
  await server.makeOperator(admin.id);
});
afterAll(() => server.drop());

interface Person {
  readonly id: string;
  readonly email: string;
  readonly token: string;
}
const PASSWORD = 'correct horse battery';
let people = 0;

async function createPerson(name = 'person'): Promise<Person> {
  const email = `${name}${people++}@example.org`;
  const body = { email, account_password: PASSWORD, display_name: `The ${name}` };
  const reply = await server.call('POST', '/auth/register', { body });
  return { id: reply.body.user_id, email, token: reply.body.access_token };
}

interface Agent {
  readonly id: string;
  readonly token: string;
}
async function createAgent(owner: Person): Promise<Agent> {
  const { body } = await server.call('POST', '/agents', { token: owner.token, body: { name: `Bot ${people++}` } });
  return { id: body.agent_id, token: body.token };
}
async function addAgent(user: Person, agent: Agent): Promise<string> {
  const body = { agent_id: agent.id, granted_scopes: [] };
  const reply = await server.call('POST', '/h2a/relations', { token: user.token, body });
  return reply.body.relation_id;
}
const relationStatus = async (id: string) =>
  (await server.platform.db.selectFrom('h2a_relations').select('status').where('id', '=', id).executeTakeFirstOrThrow())
    .status;
const asAdmin = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { token: admin.token, ...(body === undefined ? {} : { body }) });
const works = async (token: string, path = '/auth/me') => (await server.call('GET', path, { token })).status;

describe('TR-8 only operators', () => {
  it('TR-8 every route of the operators is shut to people, agents and strangers', async () => {
    const person = await createPerson();
    const agent = await createAgent(person);
    const other = await createPerson();
    const requests: [string, string, unknown?][] = [
      ['GET', '/admin/accounts'],
      ['GET', '/admin/agents'],
      ['GET', '/admin/stats'],
      ['GET', '/admin/actions'],
      ['POST', `/admin/accounts/${other.id}/ban`, {}],
      ['POST', `/admin/accounts/${other.id}/unban`, {}],
      ['POST', `/admin/accounts/${person.id}/role`, { role: 'admin' }],
      ['POST', `/admin/agents/${agent.id}/ban`, {}],
      ['POST', `/admin/agents/${agent.id}/unban`, {}],
    ];
    for (const [method, path, body] of requests) {
      const options = body === undefined ? {} : { body };
      expect((await server.call(method, path, options)).status).toBe(401);
      for (const { token } of [person, agent]) {
        expect((await server.call(method, path, { token, ...options })).status).toBe(403);
      }
    }
    expect([await works(other.token), await works(person.token)]).toEqual([200, 200]);
  });
});

describe('TR-8 banning accounts', () => {
  it('TR-8 a banned account is out at once, with its sessions, its agents and their relations', async () => {
    const [owner, user] = [await createPerson(), await createPerson()];
    const agent = await createAgent(owner);
    const relation = await addAgent(user, agent);
    expect(await works(agent.token, `/agents/${agent.id}`)).toBe(200);

    const banned = await asAdmin('POST', `/admin/accounts/${owner.id}/ban`, { reason: 'spam' });
    expect(banned).toMatchObject({ status: 200, body: { user_id: owner.id, status: 'banned', agents: 1 } });
    expect(await works(owner.token)).toBe(401);
    expect(await works(agent.token, `/agents/${agent.id}`)).toBe(401);
    expect(await relationStatus(relation)).toBe('suspended');
    const login = { email: owner.email, account_password: PASSWORD };
    expect((await server.call('POST', '/auth/login', { body: login })).status).toBe(401);

    const unbanned = await asAdmin('POST', `/admin/accounts/${owner.id}/unban`, {});
    expect(unbanned.body.status).toBe('active');
    expect(await relationStatus(relation)).toBe('active');
    expect(await works(owner.token)).toBe(401);
    expect((await server.call('POST', '/auth/login', { body: login })).status).toBe(200);
    expect(await works(agent.token, `/agents/${agent.id}`)).toBe(200);
  });

  it('TR-8 sockets that are open close, of the account and of its agents', async () => {
    const owner = await addTalker(server);
    const bot = await addBot(server, owner);
    const sockets = [await connect(server, owner), await connect(server, bot)];
    await asAdmin('POST', `/admin/accounts/${owner.id}/ban`, {});
    for (const socket of sockets) {
      expect(await socket.next('auth.error')).toMatchObject({ reason: 'revoked' });
      await socket.closed;
    }
  });

  it('TR-8 operators can neither ban nor demote themselves', async () => {
    expect((await asAdmin('POST', `/admin/accounts/${admin.id}/ban`, {})).status).toBe(403);
    expect((await asAdmin('POST', `/admin/accounts/${admin.id}/role`, { role: 'user' })).status).toBe(403);
    expect(await works(admin.token, '/admin/stats')).toBe(200);
  });

  it('TR-8 two operators who demote each other at once leave one', async () => {
    const second = await createPerson();
    await asAdmin('POST', `/admin/accounts/${second.id}/role`, { role: 'admin' });
    const demote = (by: Person, whom: Person) =>
      server.call('POST', `/admin/accounts/${whom.id}/role`, { token: by.token, body: { role: 'user' } });
    const replies = await Promise.all([demote(admin, second), demote(second, admin)]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 403]);
    // Whoever it was that remained: the rest of the tests wants the first.
    const { db } = server.platform;
    await db.updateTable('accounts').set({ role: 'admin' }).where('id', '=', admin.id).execute();
    await db.updateTable('accounts').set({ role: 'user' }).where('id', '=', second.id).execute();
  });

  it('TR-8 a role takes effect at once, both ways', async () => {
    const person = await createPerson();
    await asAdmin('POST', `/admin/accounts/${person.id}/role`, { role: 'admin' });
    expect(await works(person.token, '/admin/stats')).toBe(200);
    await asAdmin('POST', `/admin/accounts/${person.id}/role`, { role: 'user' });
    expect(await works(person.token, '/admin/stats')).toBe(403);
    expect((await asAdmin('POST', `/admin/accounts/${person.id}/role`, { role: 'god' })).status).toBe(400);
  });

  it('TR-8 what does not exist is not found', async () => {
    expect((await asAdmin('POST', `/admin/accounts/${createId()}/ban`, {})).status).toBe(404);
    expect((await asAdmin('POST', `/admin/agents/${createId()}/ban`, {})).status).toBe(404);
  });
});

describe('RL-11 banning agents', () => {
  it('RL-11 a banned agent is out at once and its relations pause; its owner cannot resume it', async () => {
    const [owner, user] = [await createPerson(), await createPerson()];
    const agent = await createAgent(owner);
    const relation = await addAgent(user, agent);
    const banned = await asAdmin('POST', `/admin/agents/${agent.id}/ban`, { reason: 'harm' });
    expect(banned).toMatchObject({ status: 200, body: { agent_id: agent.id, status: 'banned', relations: 1 } });
    expect(await works(agent.token, `/agents/${agent.id}`)).toBe(401);
    expect(await relationStatus(relation)).toBe('suspended');
    expect((await server.call('POST', `/agents/${agent.id}/resume`, { token: owner.token })).status).not.toBe(200);

    expect((await asAdmin('POST', `/admin/agents/${agent.id}/unban`, {})).body.status).toBe('active');
    expect(await relationStatus(relation)).toBe('active');
    expect(await works(agent.token, `/agents/${agent.id}`)).toBe(200);
    const told = await server.platform.db
      .selectFrom('events')
      .select('type')
      .where('recipient_id', '=', user.id)
      .where('type', 'in', ['relation.suspended', 'relation.restored'])
      .orderBy('id')
      .execute();
    expect(told.map(({ type }) => type)).toEqual(['relation.suspended', 'relation.restored']);
  });

  it('RL-11 the socket of a banned agent closes, that of its user is told', async () => {
    const [owner, user] = [await addTalker(server), await addTalker(server)];
    const bot = await addBot(server, owner);
    await relate(server, user, bot);
    const [agent, human] = [await connect(server, bot), await connect(server, user)];
    await asAdmin('POST', `/admin/agents/${bot.id}/ban`, {});
    expect(await agent.next('auth.error')).toMatchObject({ reason: 'revoked' });
    await agent.closed;
    await human.next((frame) => JSON.stringify(frame).includes('relation.suspended'));
    await human.end();
  });

  it('RL-11 an agent that its owner had suspended is suspended again after the ban', async () => {
    const owner = await createPerson();
    const agent = await createAgent(owner);
    const { db } = server.platform;
    await db.updateTable('agents').set({ status: 'suspended' }).where('id', '=', agent.id).execute();
    await asAdmin('POST', `/admin/agents/${agent.id}/ban`, {});
    expect((await asAdmin('POST', `/admin/agents/${agent.id}/unban`, {})).body.status).toBe('suspended');
  });

  it('RL-11 unbanning the agent of a banned owner does not resume its relations', async () => {
    const [owner, user] = [await createPerson(), await createPerson()];
    const agent = await createAgent(owner);
    const relation = await addAgent(user, agent);
    await asAdmin('POST', `/admin/agents/${agent.id}/ban`, {});
    await asAdmin('POST', `/admin/accounts/${owner.id}/ban`, {});
    await asAdmin('POST', `/admin/agents/${agent.id}/unban`, {});
    expect(await relationStatus(relation)).toBe('suspended');
    await asAdmin('POST', `/admin/accounts/${owner.id}/unban`, {});
    expect(await relationStatus(relation)).toBe('active');
  });
});

describe('TR-8 what operators see', () => {
  it('TR-8 every action is on record, once, with who, whom, why and what was before', async () => {
    const person = await createPerson();
    for (const verb of ['ban', 'ban', 'unban'])
      await asAdmin('POST', `/admin/accounts/${person.id}/${verb}`, { reason: verb });
    await asAdmin('POST', `/admin/accounts/${person.id}/role`, { role: 'admin' });
    const { actions } = (await asAdmin('GET', '/admin/actions')).body;
    const own = actions.filter((action: { target_id: string }) => action.target_id === person.id);
    expect(own).toMatchObject([
      { action: 'account.role.admin', previous: 'user' },
      { action: 'account.unban', previous: 'banned', reason: 'unban' },
      { action: 'account.ban', previous: 'active', reason: 'ban', admin_id: admin.id, target_kind: 'account' },
    ]);
    expect(own).toHaveLength(3);
  });

  it('TR-8 accounts and agents are found by name, address or id; wildcards are letters', async () => {
    const person = await createPerson('needle%_');
    const agent = await createAgent(person);
    const find = async (path: string, q: string) =>
      (await asAdmin('GET', `${path}?q=${encodeURIComponent(q)}`)).body[
        path.endsWith('agents') ? 'agents' : 'accounts'
      ];
    expect(await find('/admin/accounts', 'NEEDLE%_')).toMatchObject([{ user_id: person.id, agents: 1 }]);
    expect(await find('/admin/accounts', person.id)).toHaveLength(1);
    expect(await find('/admin/accounts', '%')).toHaveLength(1);
    expect(await find('/admin/accounts', "' or true --")).toEqual([]);
    expect(await find('/admin/agents', agent.id)).toMatchObject([{ agent_id: agent.id, owner_id: person.id }]);
    const reply = JSON.stringify((await asAdmin('GET', '/admin/accounts')).body);
    expect(reply).not.toMatch(/password|argon2|hash/);
  });

  it('TR-8 lists are paged', async () => {
    const { db } = server.platform;
    const rows = Array.from({ length: 60 }, (_, n) => ({
      id: createId(new Date(n)),
      email: `paged${n}@example.net`,
      display_name: 'Paged',
    }));
    await db.insertInto('accounts').values(rows).execute();
    const page = async (query: string) => (await asAdmin('GET', `/admin/accounts?q=example.net${query}`)).body;
    const first = await page('');
    const second = await page(`&cursor=${first.next_cursor}`);
    const seen = [...first.accounts, ...second.accounts].map(({ user_id }) => user_id);
    expect(seen).toEqual(rows.map(({ id }) => id).reverse());
    expect(second.next_cursor).toBeNull();
  });

  it('TR-8 the figures add up', async () => {
    const before = (await asAdmin('GET', '/admin/stats')).body;
    const person = await createPerson();
    const agent = await createAgent(person);
    await asAdmin('POST', `/admin/agents/${agent.id}/ban`, {});
    const after = (await asAdmin('GET', '/admin/stats')).body;
    expect(after.accounts.active).toBe(before.accounts.active + 1);
    expect(after.agents.banned).toBe(before.agents.banned + 1);
    expect(after.messages).toBeGreaterThanOrEqual(0);
  });
});
