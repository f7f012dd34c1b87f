import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PREVIOUS } from '../../../../scripts/chaos/upgrade/previous.mjs';
import { createDatabase } from '../../tests/harness/server.ts';
import { MIGRATIONS } from './migrations.ts';
import { judgeSchema, writeMigration } from './needs.ts';

/** What a schema demands of whoever writes to it, as `kind table name` → definition. */
type Demands = ReadonlyMap<string, string>;

const DEMANDS = `
  select 'table ' || relname as name, '' as definition from pg_class
    where relnamespace = 'public'::regnamespace and relkind = 'r'
  union all
  select 'column ' || c.relname || '.' || a.attname,
    format_type(a.atttypid, a.atttypmod) || case when a.attnotnull then ' not null' else '' end
      || case when a.atthasdef or a.attidentity <> '' then ' default' else '' end
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attnum > 0 and not a.attisdropped
  union all
  select 'constraint ' || c.relname || '.' || k.conname, pg_get_constraintdef(k.oid)
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where c.relnamespace = 'public'::regnamespace and k.contype in ('c', 'f', 'x')
  union all
  select 'unique ' || c.relname || '.' || i.relname, regexp_replace(pg_get_indexdef(x.indexrelid), '^.* USING ', '')
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    where c.relnamespace = 'public'::regnamespace and x.indisunique
  union all
  select 'trigger ' || c.relname || '.' || t.tgname, '' from pg_trigger t join pg_class c on c.oid = t.tgrelid
    where c.relnamespace = 'public'::regnamespace and not t.tgisinternal
  union all
  select 'function ' || p.oid::regprocedure, pg_get_function_result(p.oid) from pg_proc p
    where p.pronamespace = 'public'::regnamespace
  union all
  select 'sequence ' || relname, '' from pg_class where relnamespace = 'public'::regnamespace and relkind = 'S'`;

/**
 * What a migration since the last release demands more than before, and why those before can live with it. An entry that
 * is no longer needed is refused as well.
 */
const HARMLESS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      'agent_tokens',
      'bundles',
      'device_statements',
      'devices',
      'events',
      'passes',
      'passkeys',
      'sessions',
      'skill_entitlements',
      'skill_namespaces',
      'skills',
    ].flatMap((table) =>
      ['stored', 'deleted'].map((when) => [`trigger ${table}.rows_${when}`, 'it adds up, and refuses nothing']),
    ),
  ),
  'constraint admin_actions.admin_actions_target_kind_check is gone': 'it only refused',
  'trigger admin_actions.admin_actions_append_only': 'nothing ever changed or deleted a row of the log',
  'trigger admin_actions.admin_actions_kept': 'nothing ever emptied the log',
  'constraint skill_entitlements.skill_entitlements_account_id_fkey is gone':
    'it only refused, and no account is deleted',
  'column webhook_deliveries.body is now text':
    'they send only what they stored themselves; one that is sent again by hand is refused by its receiver, and tried later',
  'trigger messages.webhook_envelope_forgotten': 'it keeps what a delivery needs, and refuses nothing',
  'trigger messages.webhook_envelope_deleted': 'it keeps what a delivery needs, and refuses nothing',
  'trigger members.members_join': 'it notes where someone joined, and refuses nothing',
  'trigger members.members_rejoin': 'it notes where someone joined, and refuses nothing',
  'trigger messages.messages_stored': 'it adds up, and refuses nothing',
  'trigger messages.messages_forgotten': 'it adds up, and refuses nothing',
  'trigger messages.messages_deleted': 'it adds up, and refuses nothing',
  'trigger agent_manifests.manifests_stored': 'it adds up, and refuses nothing',
  'trigger agent_manifests.manifests_deleted': 'it adds up, and refuses nothing',
  'trigger agents.agents_stored': 'it adds up, and refuses nothing',
  'trigger skill_versions.skills_stored': 'it adds up, and refuses nothing',
  'trigger skill_versions.skills_deleted': 'it adds up, and refuses nothing',
  'trigger bundle_versions.bundles_stored': 'it adds up, and refuses nothing',
  'trigger bundle_versions.bundles_deleted': 'it adds up, and refuses nothing',
  'trigger kit_files.kit_files_stored': 'it adds up, and refuses nothing',
  'trigger kit_files.kit_files_deleted': 'it adds up, and refuses nothing',
  'trigger conversations.conversations_stored': 'it adds up, and refuses nothing',
  'trigger members.members_stored': 'it adds up, and refuses nothing',
  'trigger members.members_left': 'it adds up, and refuses nothing',
  'trigger group_statements.group_statements_stored': 'it adds up, and refuses nothing',
  'trigger h2a_relations.relations_stored': 'it adds up, and refuses nothing',
  'trigger ledger_entries.ledger_entries_stored': 'it adds up, and refuses nothing',
  'trigger idempotency_keys.idempotency_keys_stored': 'it adds up, and refuses nothing',
  'trigger idempotency_keys.idempotency_keys_answered': 'it adds up, and refuses nothing',
  'trigger idempotency_keys.idempotency_keys_deleted': 'it adds up, and refuses nothing',
  'trigger webhook_deliveries.webhook_deliveries_stored': 'it adds up, and refuses nothing',
  'trigger webhook_deliveries.webhook_deliveries_deleted': 'it adds up, and refuses nothing',
};

let client: pg.Client;
let drop: () => Promise<void>;
beforeAll(async () => {
  const database = await createDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('create table migrations (name text primary key, applied_at timestamptz not null default now())');
  drop = async () => {
    await client.end();
    await database.drop();
  };
});
afterAll(() => drop());

async function read(): Promise<Demands> {
  const { rows } = await client.query<{ name: string; definition: string }>(DEMANDS);
  return new Map(rows.map(({ name, definition }) => [name, definition]));
}

const tableOf = (name: string) => /^\w+ (\w+)/.exec(name)![1]!;

/** What the version before would stumble over: what it uses is gone or changed, or something is demanded of it. */
function compare(before: Demands, after: Demands): string[] {
  const isOld = (name: string) => before.has(`table ${tableOf(name)}`);
  const found: string[] = [];
  for (const [name, definition] of before) {
    if (!after.has(name)) found.push(`${name} is gone`);
    else if (after.get(name) !== definition) found.push(`${name} is now ${after.get(name)}`);
  }
  for (const [name, definition] of after) {
    if (before.has(name) || !isOld(name)) continue;
    if (/^(constraint|unique|trigger) /.test(name)) found.push(name);
    if (name.startsWith('column ') && / not null$/.test(definition)) found.push(`${name} has no default`);
  }
  return found.sort();
}

/** Inside a transaction that is undone. */
async function compareWith(statements: string): Promise<string[]> {
  const before = await read();
  await client.query('begin');
  try {
    await client.query(statements);
    return compare(before, await read());
  } finally {
    await client.query('rollback');
  }
}

describe('OP-12 migrations expand', () => {
  it('OP-12 those since the last release leave everything that the version before uses', async () => {
    const names = Object.keys(MIGRATIONS);
    const released = names.indexOf(PREVIOUS.last_migration) + 1;
    expect(released).toBeGreaterThan(0);
    for (const name of names.slice(0, released)) await client.query(writeMigration(name));
    const before = await read();
    for (const name of names.slice(released)) await client.query(writeMigration(name));
    expect(compare(before, await read())).toEqual(Object.keys(HARMLESS).sort());
  });

  it.each([
    ['drop table claims', 'table claims is gone'],
    ['alter table claims drop column device_id', 'column claims.device_id is gone'],
    ['alter table claims rename to taken', 'table claims is gone'],
    ['alter table claims rename column device_id to device', 'column claims.device_id is gone'],
    ['alter table claims alter column device_id type text', 'column claims.device_id is now text not null'],
    ['alter table devices alter column certificate set not null', 'column devices.certificate is now jsonb not null'],
    [
      'alter table claims alter column created_at drop default',
      'column claims.created_at is now timestamp with time zone not null',
    ],
    ['alter table claims add column kind text not null', 'column claims.kind has no default'],
    ['alter table claims add constraint few check (device_id is not null)', 'constraint claims.few'],
    ['create unique index one_each on claims (device_id)', 'unique claims.one_each'],
    ['drop function tool_rates(uuid[])', 'function tool_rates(uuid[]) is gone'],
  ])('OP-12 attack: %s is noticed', async (statement, expected) => {
    expect(await compareWith(statement)).toContain(expected);
  });

  it('OP-12 a new table, a column that may be empty or has a default, and an index are no obstacle', async () => {
    const found =
      await compareWith(`create table fresh (id uuid primary key, name text not null unique check (name <> ''));
      alter table claims add column note text, add column kind text not null default 'x';
      create index claims_device on claims (device_id)`);
    expect(found).toEqual([]);
  });
});

describe('OP-12 versions side by side', () => {
  const known = { '0001_a': '', '0002_b': '' };
  const row = (name: string, needs: string | null = null) => ({ name, needs });

  it('OP-12 a node that does not know what a migration needs says that it is outdated', () => {
    const both = [row('0001_a'), row('0002_b')];
    expect(judgeSchema(both, known)).toBe('ok');
    expect(judgeSchema([row('0001_a')], known)).toBe('not_migrated');
    expect(judgeSchema([...both, row('0003_expands')], known)).toBe('ok');
    expect(judgeSchema([...both, row('0004_contracts', '0002_b')], known)).toBe('ok');
    expect(judgeSchema([...both, row('0004_contracts', '0003_expands')], known)).toBe('outdated');
  });
});
