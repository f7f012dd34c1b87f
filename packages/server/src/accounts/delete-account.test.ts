import { until } from '@parley/testkit/until';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, signUp, signUpWithDevice } from '../../tests/harness/accounts.ts';
import { befriend } from '../../tests/harness/contacts.ts';
import { startTestServer, type TestServer } from '../../tests/harness/server.ts';
import { createTasks } from '../tasks.ts';
import { pruneAuth } from './prune.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const remove = (token: string, account_password = PASSWORD) =>
  server.call('DELETE', '/auth/account', { token, body: { account_password } });
const me = (token: string) => server.call('GET', '/auth/me', { token });
async function createAgent(token: string) {
  const { body } = await server.call('POST', '/agents', { token, body: { name: 'bot' } });
  return { id: body.agent_id as string, token: body.token as string };
}
const relate = (token: string, agent_id: string) =>
  server.call('POST', '/h2a/relations', { token, body: { agent_id, granted_scopes: [] } });

describe('TR-9 deleting an account', () => {
  it('TR-9 OP-4 goes on while jobs of the server take minutes', async () => {
    const ada = await signUp(server);
    await server.editDatabase(`insert into clock_readings (read_at, steady_since)
      values (now() - interval '10 minutes', now() - interval '2 hours')
      on conflict (only_row) do update set read_at = excluded.read_at, steady_since = excluded.steady_since`);
    const blocker = new pg.Client({ connectionString: server.config.databaseUrl });
    await blocker.connect();
    await blocker.query('begin');
    await blocker.query('lock table agent_events, idempotency_keys in access exclusive mode');
    const tasks = createTasks(server.platform);
    const jobs = ['prune_agent_events', 'prune_idempotency_keys'].map((name) => tasks[name]!({}, {} as never));
    await until(async () => {
      const { rows } = await server.platform.storage.pool.query(`select query from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
          and query ~* 'delete from "?(agent_events|idempotency_keys)'`);
      expect(rows).toHaveLength(2);
    });
    expect((await remove(ada.token)).status).toBe(204);
    await blocker.end();
    await Promise.all(jobs);
  });

  it('TR-9 erases who it was, and ends sessions, devices, agents and relations', async () => {
    const [ada, bob] = [await signUpWithDevice(server), await signUp(server)];
    const [own, other] = [await createAgent(ada.token), await createAgent(bob.token)];
    expect((await relate(ada.token, other.id)).status).toBe(201);
    expect((await relate(bob.token, own.id)).status).toBe(201);
    expect((await remove(ada.token)).status).toBe(204);

    expect((await me(ada.token)).status).toBe(401);
    const refresh = await server.call('POST', '/auth/refresh', { headers: { cookie: ada.cookie } });
    expect(refresh.status).toBe(401);
    const login = { email: ada.email, account_password: PASSWORD };
    expect((await server.call('POST', '/auth/login', { body: login })).body.error.code).toBe('LOGIN_FAILED');
    expect((await server.call('GET', `/agents/${own.id}`, { token: own.token })).status).toBe(401);
    const { relations } = (await server.call('GET', '/h2a/relations', { token: bob.token })).body;
    const alive = relations.filter(({ status }: { status: string }) => status !== 'ended');
    expect(alive).toEqual([]);

    const { pool } = server.platform.storage;
    for (const table of ['sessions', 'devices', 'passkeys']) {
      const { rowCount } = await pool.query(`select 1 from ${table} where account_id = $1`, [ada.id]);
      expect(rowCount).toBe(0);
    }
    const { rows } = await pool.query('select * from accounts where id = $1', [ada.id]);
    expect(rows[0]).toMatchObject({ status: 'deleted', display_name: '', password_hash: null, account_key: null });
    expect(JSON.stringify(rows)).not.toContain(ada.email);
    // It names keys only; others verify with it what the account signed in their groups (EE-20).
    const list = await pool.query('select statement from device_statements where account_id = $1', [ada.id]);
    expect(list.rows.map(({ statement }) => statement)).toEqual(ada.list.statements);
    const ended = await pool.query('select status from h2a_relations where account_id = $1', [ada.id]);
    expect(ended.rows).toEqual([{ status: 'ended' }]);
    expect((await signUp(server, ada.email)).id).not.toBe(ada.id);
  });

  it('TR-9 AC-4 whom it knew, asked, blocked and invited is exported, and gone with it', async () => {
    const [ada, bob] = [await signUp(server), await signUp(server)];
    const { pool } = server.platform.storage;
    await befriend(server, ada.id, bob.id);
    await server.call('GET', '/contacts/code', { token: ada.token });
    await pool.query(
      `insert into contact_requests (id, asker_id, named_kind, named, account_id, heard) values
        (gen_random_uuid(), $1::uuid, 'account', $2::text, $2::uuid, true),
        (gen_random_uuid(), $2::uuid, 'account', $1::text, $1::uuid, true)`,
      [ada.id, bob.id],
    );
    await pool.query(`insert into account_budgets (account_id, budget, value) values ($1, 'agents', 7)`, [ada.id]);
    const body = { kind: 'group', title: 'Us', members: [] };
    const { conversation_id: group } = (await server.call('POST', '/conversations', { token: ada.token, body })).body;
    const invited = { token: ada.token, body: { user_id: bob.id } };
    await server.call('POST', `/conversations/${group}/invitations`, invited);
    await server.call('POST', '/contacts/blocked', { token: ada.token, body: { user_id: bob.id } });

    const { body: whole } = await server.call('GET', '/auth/account/export', { token: ada.token });
    expect(whole).toMatchObject({
      contact_codes: [{}],
      contacts: [{ contact_id: bob.id }],
      contact_requests: [{ named: bob.id }],
      received_requests: [{ asker_id: bob.id }],
      group_invitations: [{ account_id: bob.id, accepted_at: null, declined_at: null }],
      budgets: [{ budget: 'agents', value: 7 }],
      blocked: [{ blocked_id: bob.id }],
    });
    expect((await remove(ada.token)).status).toBe(204);
    // What someone else has asked is theirs, and leads nowhere now.
    const { rows } = await pool.query(
      'select asker_id, account_id, heard from contact_requests where asker_id = $1::uuid or named = $1::text',
      [ada.id],
    );
    expect(rows).toEqual([{ asker_id: bob.id, account_id: null, heard: false }]);
    const kept = ['contact_codes', 'contacts', 'blocks', 'group_invitations', 'account_budgets'];
    for (const table of [...kept, 'account_notices', 'password_resets']) {
      const { rowCount } = await pool.query(`select from ${table} t where t::text like '%' || $1 || '%'`, [ada.id]);
      expect([table, rowCount]).toEqual([table, 0]);
    }
  });

  it('TR-9 stolen session: the password is wanted, and guesses are slowed down', async () => {
    server.clock.stop();
    const ada = await signUp(server);
    for (let i = 0; i < 5; i++) expect((await remove(ada.token, `guess ${i}`)).status).toBe(403);
    expect((await remove(ada.token)).body.error.code).toBe('TOO_MANY_ATTEMPTS');
    expect((await me(ada.token)).status).toBe(200);
  });
});

describe('TR-9 exporting an account', () => {
  it('TR-9 holds everything about the account, nothing of others and no secret', async () => {
    const [ada, bob] = [await signUpWithDevice(server), await signUp(server)];
    const bot = await createAgent(ada.token);
    await relate(ada.token, bot.id);
    const { status, body } = await server.call('GET', '/auth/account/export', { token: ada.token });
    expect(status).toBe(200);
    expect(body.account).toMatchObject({ id: ada.id, email: ada.email, display_name: 'Ada' });
    expect(body.sessions).toHaveLength(1);
    expect(body.devices).toMatchObject([{ id: ada.deviceId }]);
    expect(body.agents).toMatchObject([{ id: bot.id }]);
    expect(body.relations).toMatchObject([{ agent_id: bot.id }]);
    expect(body.memberships).toHaveLength(1);
    expect(body.device_list).toEqual(ada.list.statements);
    expect(body.group_statements).toEqual([]);
    const text = JSON.stringify(body);
    for (const secret of ['argon2', 'password_hash', 'refresh_hash', 'family_hash', 'token_hash', bob.id]) {
      expect(text).not.toContain(secret);
    }
  });
});

describe('TR-9 pruning', () => {
  it('TR-9 removes what has run out and leaves what counts', async () => {
    const ada = await signUp(server);
    await server.call('POST', '/auth/device/code', { body: { client_name: 'cli' } });
    await server.call('POST', '/auth/passkey/login/options');
    const { db } = server.platform;
    await pruneAuth(db, server.clock.now());
    expect((await me(ada.token)).status).toBe(200);
    await pruneAuth(db, new Date(server.clock.now().getTime() + 32 * 86_400_000));
    for (const table of ['sessions', 'device_grants', 'passkey_challenges', 'login_failures'] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
    }
  });
});
