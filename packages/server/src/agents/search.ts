import { sql } from 'kysely';
import { takePage } from '../http/page.ts';
import { toQuery } from '../search/terms.ts';
import type { Db } from '../storage/database.ts';
import { type SearchCursor, writeCursor } from './cursor.ts';
import { SYSTEM_ACCOUNT } from './system-account.ts';
import { type SummaryRow, wireSummary } from './wire.ts';

type Level = 'low' | 'medium' | 'high';
const LEVELS: readonly Level[] = ['low', 'medium', 'high'];

export interface Search {
  /** Only agents of this owner, whatever their visibility; otherwise the public ones. */
  readonly ownerId?: string | undefined;
  /** Only those that come with the server: a name proves nothing, because anyone may take it. */
  readonly builtIn?: boolean;
  readonly text?: string | undefined;
  readonly tool?: string | undefined;
  readonly scope?: string | undefined;
  readonly flag?: string | undefined;
  readonly maxSensitivity?: Level | undefined;
  readonly after?: SearchCursor | undefined;
  readonly limit: number;
}

/** Returns the best matches first, and the newest first among equals (RL-5). */
export async function searchAgents(db: Db, search: Search) {
  const { limit } = search;
  const text = search.text?.trim() ? search.text : undefined;
  const query = text === undefined ? undefined : toQuery(text);
  if (text !== undefined && query === undefined) return { agents: [], next_cursor: null };
  const { rows } = await statement({ ...search, query }).execute(db);
  const page = takePage(rows, limit);
  return {
    agents: page.rows.map(wireSummary),
    next_cursor: page.last === undefined ? null : writeCursor(page.last),
  };
}

type Row = SummaryRow & SearchCursor;

function statement({
  query,
  ownerId,
  builtIn = false,
  tool,
  scope,
  flag,
  maxSensitivity,
  after,
  limit,
}: Search & { query?: string | undefined }) {
  const conditions = [
    ownerId === undefined
      ? sql`visibility = 'public' and status = 'active' and not exists (
          select from accounts where accounts.id = agents.owner_id and accounts.status <> 'active')`
      : sql`owner_id = ${ownerId} and status <> 'deleted'`,
  ];
  if (builtIn) conditions.push(sql`owner_id = ${SYSTEM_ACCOUNT}`);
  if (query !== undefined) conditions.push(sql`search @@ ${query}::tsquery`);
  if (tool !== undefined) conditions.push(sql`tool_names @> array[${tool}]::text[]`);
  if (scope !== undefined) conditions.push(sql`scope_ids @> array[${scope}]::text[]`);
  if (flag !== undefined) conditions.push(sql`flags @> array[${flag}]::text[]`);
  if (maxSensitivity !== undefined) {
    const allowed = LEVELS.slice(0, LEVELS.indexOf(maxSensitivity) + 1);
    conditions.push(sql`(highest_sensitivity is null or highest_sensitivity = any(${allowed}::text[]))`);
  }
  const rank = query === undefined ? sql`0::float8` : sql`ts_rank(search, ${query}::tsquery)::float8`;
  // The page is chosen by rank and id alone, so that long rows are read only for what is shown.
  return sql<Row>`
    with page as (
      select id, rank from (select id, ${rank} as rank from agents where ${sql.join(conditions, sql` and `)}) as found
      ${after === undefined ? sql`` : sql`where (rank, id) < (${after.rank}::float8, ${after.id}::uuid)`}
      order by rank desc, id desc
      limit ${limit + 1}
    )
    select page.rank, agents.id, name, description, visibility, status, connection_mode, capability_manifest_version,
      capability_manifest_hash, tool_names, scope_ids, highest_sensitivity, created_at, updated_at
    from page join agents using (id)
    order by page.rank desc, agents.id desc`;
}
