import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './harness/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

/** The tables that nobody pays for, and what bounds each. */
const NOT_COUNTED: Readonly<Record<string, string>> = {
  accounts: 'one for each account; registering is limited by network and by invitations',
  account_budgets: 'what operators changed, one for each budget',
  account_usage: 'the count itself, one for each account',
  admin_actions: 'what operators did, which is kept',
  agent_events: 'the last hundred of each agent, for a month',
  agent_tails: 'one for each agent',
  backfills: 'one for each task that a migration left behind',
  claims: 'one for each message of a tool call, which counts',
  clock_gaps: 'one for each time that clocks jumped, for as long as anything is kept',
  clock_readings: 'one',
  connected_devices: 'one for each open socket',
  contact_codes: 'one for each account',
  cursors: 'one for each member of a conversation and device; the flat amount of a member includes it',
  device_grants: 'asked for without an account, limited by network, for minutes',
  email_codes: 'asked for without an account, limited by network, for minutes',
  event_cursors: 'one for each device that is live and each agent',
  invitations: 'what operators made',
  job_workers: 'one for each node',
  login_failures: 'one for each address and network that was guessed at, limited by network, for a day',
  migrations: 'one for each migration',
  mirror_kits: 'what operators uploaded; their files count for nobody either',
  one_time_prekeys: 'a hundred for each device that is live and each agent that was not deleted',
  passkey_challenges: 'limited by network, for minutes',
  password_resets: 'limited by account and network, for a day after its end',
  pending_scopes: 'one for each version of a manifest that is kept, which counts and declares the scopes',
  prekey_stocks: 'one for each device that is kept and each agent, whose flat amount includes it',
  prekey_takings: 'one for a day, for each pair of whoever asks and whoever is asked; asking is limited',
  signed_prekeys: 'one for each device that is live and each agent that was not deleted',
  socket_nodes: 'one for each node',
  tool_call_times: 'the calls of the last minute, in one row for each agent and moment',
  usage_changes: 'the count itself; added up every minute',
  webhook_queues: 'one for each agent',
  webhooks: 'one for each agent that was not deleted',
};

describe('OP-1 every row that an account causes counts', () => {
  it('OP-1 each table counts for somebody, or it is said here what bounds it', async () => {
    const { rows } = await sql<{ name: string; counted: boolean }>`
      select c.relname as name, exists (
        select from pg_trigger t join pg_proc p on p.oid = t.tgfoid
        where t.tgrelid = c.oid and p.prosrc like '%into usage_changes%') as counted
      from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace`.execute(server.platform.db);
    const unpaid = rows.filter(({ counted }) => !counted).map(({ name }) => name);
    expect(rows.length - unpaid.length).toBeGreaterThan(25);
    // Whoever adds a table gives it a trigger that counts, or a reason; a reason that is needed no more goes.
    expect(unpaid.sort()).toEqual(Object.keys(NOT_COUNTED).sort());
  });

  it('OP-1 attack: what counts when it is written counts no longer when it is deleted, unless nothing deletes it', async () => {
    const { rows } = await sql<{ name: string; events: number }>`
      select c.relname as name, bit_or(t.tgtype & 12)::int as events
      from pg_trigger t join pg_proc p on p.oid = t.tgfoid join pg_class c on c.oid = t.tgrelid
      where p.prosrc like '%into usage_changes%' and c.relnamespace = 'public'::regnamespace
      group by 1`.execute(server.platform.db);
    const [INSERT, DELETE] = [4, 8];
    expect(rows.filter(({ events }) => (events & INSERT) === 0)).toEqual([]);
    const kept = rows.filter(({ events }) => (events & DELETE) === 0).map(({ name }) => name);
    expect(kept.sort()).toEqual([
      'agents',
      'conversations',
      'group_statements',
      'h2a_relations',
      'ledger_entries',
      'members',
    ]);
  });
});
