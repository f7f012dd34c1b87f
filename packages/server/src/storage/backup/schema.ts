import type pg from 'pg';
import { MIGRATIONS } from '../migrations.ts';

export interface Table {
  readonly name: string;
  /** The columns, except generated ones. */
  readonly columns: readonly string[];
}

export interface Sequence {
  readonly name: string;
  readonly value: string;
}

/** Returns the names that our migrations create: the database may hold other tables, too. */
function ownNames(kind: 'table' | 'sequence' | 'function'): Set<string> {
  const statements = Object.values(MIGRATIONS).join('\n');
  const pattern = new RegExp(`create ${kind} (?:if not exists )?(\\w+)`, 'gi');
  return new Set([...statements.matchAll(pattern)].map((match) => match[1]!));
}

/** Reads our tables, each after those it refers to. */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; needs: string[] }>(`
    select c.relname as name,
      (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select array_agg(distinct t.relname::text) from pg_constraint k join pg_class t on t.oid = k.confrelid
        where k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid), '{}') as needs
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname`);
  const own = ownNames('table');
  const waiting = new Map(rows.filter(({ name }) => own.has(name)).map((row) => [row.name, row]));
  const sorted: Table[] = [];
  while (waiting.size > 0) {
    const next = [...waiting.values()].find(({ needs }) => !needs.some((need) => waiting.has(need)));
    if (next === undefined) throw new TypeError('readTables: tables refer to each other in a circle');
    waiting.delete(next.name);
    sorted.push({ name: next.name, columns: next.columns });
  }
  return sorted;
}

/** Reads the sequences of our columns, and independent ones. */
export async function readSequences(client: pg.ClientBase): Promise<Sequence[]> {
  const tables = ownNames('table');
  const alone = ownNames('sequence');
  const { rows } = await client.query<Sequence & { table: string | null }>(`
    select s.relname as name, t.relname as table, p.last_value::text as value
    from pg_class s
    left join pg_depend d on d.objid = s.oid and d.classid = 'pg_class'::regclass and d.deptype in ('a', 'i')
    left join pg_class t on t.oid = d.refobjid
    join pg_sequences p on p.schemaname = current_schema() and p.sequencename = s.relname
    where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace and p.last_value is not null
    order by s.relname`);
  const isOwn = (row: (typeof rows)[number]) => (row.table === null ? alone.has(row.name) : tables.has(row.table));
  return rows.filter(isOwn).map(({ name, value }) => ({ name, value }));
}

export async function dropAll(client: pg.ClientBase): Promise<void> {
  for (const { name } of await readTables(client)) await client.query(`drop table ${quote(name)} cascade`);
  for (const name of ownNames('sequence')) await client.query(`drop sequence if exists ${quote(name)}`);
  // Functions stay when their tables are dropped, and the migration that creates them would fail.
  for (const name of ownNames('function')) await client.query(`drop function if exists ${quote(name)}`);
  await client.query('drop table if exists migrations');
}

/** Returns nothing where there is no table of migrations. */
export async function readMigrations(client: pg.ClientBase): Promise<string[]> {
  const there = await client.query(`select to_regclass('migrations') is not null as there`);
  if (!there.rows[0].there) return [];
  const { rows } = await client.query<{ name: string }>('select name from migrations order by name');
  return rows.map(({ name }) => name);
}

export const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
