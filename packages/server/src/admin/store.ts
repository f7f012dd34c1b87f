import type { adminRoutes } from '@parley/protocol';
import { type SqlBool, sql } from 'kysely';
import { type Page, takePage } from '../http/page.ts';
import type { Db } from '../storage/database.ts';

export interface AccountRow {
  readonly id: string;
  readonly email: string;
  readonly display_name: string;
  readonly role: 'user' | 'admin';
  readonly status: 'active' | 'banned' | 'deleted';
  readonly agents: number;
  readonly last_seen_at: Date | null;
  readonly created_at: Date;
}

export interface AgentRow {
  readonly id: string;
  readonly name: string;
  readonly owner_id: string;
  readonly visibility: 'public' | 'private';
  readonly status: 'active' | 'suspended' | 'banned' | 'deleted';
  readonly relations: number;
  readonly unreachable_since: Date | null;
  readonly created_at: Date;
}

export interface Filter {
  readonly q?: string;
  readonly status?: string;
  readonly role?: string;
  /** Only rows older than this one: ids sort by time. */
  readonly cursor?: string;
  readonly id?: string;
  /** The whole address; `q` also finds those who call themselves like it. */
  readonly email?: string;
}

const PAGE = 50;

export async function listAccounts(db: Db, filter: Filter): Promise<Page<AccountRow>> {
  const { rows } = await sql<AccountRow>`
    select id, email, display_name, role, status, created_at,
      (select count(*) from agents where owner_id = accounts.id and status <> 'deleted') as agents,
      (select max(used_at) from sessions where account_id = accounts.id) as last_seen_at
    from accounts
    where ${matches(filter, ['email', 'display_name'])}
    order by id desc limit ${PAGE + 1}`.execute(db);
  return takePage(rows, PAGE);
}

export async function listAgents(db: Db, filter: Filter): Promise<Page<AgentRow>> {
  const { rows } = await sql<AgentRow>`
    select id, name, owner_id, visibility, status, unreachable_since, created_at,
      (select count(*) from h2a_relations where agent_id = agents.id and status <> 'ended') as relations
    from agents
    where ${matches(filter, ['name'])}
    order by id desc limit ${PAGE + 1}`.execute(db);
  return takePage(rows, PAGE);
}

function matches({ q, status, role, cursor, id, email }: Filter, columns: readonly string[]) {
  const conditions = [sql<SqlBool>`true`];
  if (q !== undefined) {
    const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`;
    const named = columns.map((column) => sql<SqlBool>`${sql.ref(column)} ilike ${pattern}`);
    conditions.push(sql<SqlBool>`(${sql.join([...named, sql<SqlBool>`id::text = ${q.toLowerCase()}`], sql` or `)})`);
  }
  if (status !== undefined) conditions.push(sql<SqlBool>`status = ${status}`);
  if (role !== undefined) conditions.push(sql<SqlBool>`role = ${role}`);
  if (cursor !== undefined) conditions.push(sql<SqlBool>`id < ${cursor}`);
  if (id !== undefined) conditions.push(sql<SqlBool>`id = ${id}`);
  if (email !== undefined) conditions.push(sql<SqlBool>`lower(email) = ${email.toLowerCase()}`);
  return sql.join(conditions, sql` and `);
}

/** What an account has, in numbers: an operator decides by them, and sees nothing of what is inside. */
export async function readHoldings(db: Db, accountId: string, now: Date): Promise<adminRoutes.WireHoldings> {
  const { rows } = await sql<adminRoutes.WireHoldings>`
    select
      (select count(*) from sessions
        where account_id = ${accountId} and revoked_at is null and expires_at > ${now})::integer as sessions,
      (select count(*) from devices where account_id = ${accountId} and revoked_at is null)::integer as devices,
      (select count(*) from passkeys where account_id = ${accountId})::integer as passkeys,
      (select count(*) from h2a_relations where account_id = ${accountId} and status <> 'ended')::integer as relations,
      (select count(*) from members where member_kind = 'human' and member_id = ${accountId} and left_at is null)::integer
        as conversations,
      (select count(*) from bundles where owner_id = ${accountId})::integer as bundles,
      (select count(*) from skills where owner_id = ${accountId})::integer as skills`.execute(db);
  return rows[0]!;
}

export async function readStats(db: Db): Promise<adminRoutes.WireStats> {
  const { rows } = await sql<{ stats: adminRoutes.WireStats }>`
    select jsonb_build_object(
      'accounts', (select jsonb_build_object(
        'active', count(*) filter (where status = 'active'),
        'banned', count(*) filter (where status = 'banned')) from accounts),
      'agents', (select jsonb_build_object(
        'active', count(*) filter (where status = 'active'),
        'banned', count(*) filter (where status = 'banned'),
        'unreachable', count(*) filter (where status = 'active' and unreachable_since is not null)) from agents),
      'relations', (select jsonb_build_object(
        'active', count(*) filter (where status = 'active'),
        'suspended', count(*) filter (where status = 'suspended')) from h2a_relations),
      'conversations', ${estimate('conversations')},
      'messages', ${estimate('messages')},
      'deliveries', (select jsonb_build_object(
        'pending', count(*) filter (where status = 'pending'),
        'failed', count(*) filter (where status = 'failed')) from webhook_deliveries)
    ) as stats`.execute(db);
  return rows[0]!.stats;
}

/** Returns the planner's estimate; -1 until the table has been analysed. */
function estimate(table: string) {
  return sql`(select greatest(reltuples, 0)::bigint from pg_class where oid = ${table}::regclass)`;
}
