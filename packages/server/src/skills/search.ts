import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../http/caller.ts';
import { takePage } from '../http/page.ts';
import { type PublisherRow, wirePublisher } from '../people/publisher.ts';
import type { Platform } from '../platform.ts';
import { type RankCursor, writeRankCursor } from '../search/rank-cursor.ts';
import { toQuery } from '../search/terms.ts';
import { visibleTo } from './access.ts';
import { descriptorUrl } from './publish.ts';
import { type SkillRow, wireEntry, wireFound } from './wire.ts';

const COUNTED = 1_000;
const MAX_TAGS = 200;
const MAX_INDEX = 1_000;

export interface SkillSearch {
  readonly caller: Caller;
  readonly text?: string | undefined;
  readonly type?: string | undefined;
  readonly tag?: string | undefined;
  readonly provider?: string | undefined;
  readonly ownerId?: string | undefined;
  readonly after?: RankCursor | undefined;
  readonly limit: number;
}

const COLUMNS = sql`id, name, capability_type, description, access, provider, tags, version, updated_at`;

export async function searchSkills({ db, config }: Platform, search: SkillSearch) {
  const text = search.text?.trim() ? search.text : undefined;
  const query = text === undefined ? undefined : toQuery(text);
  if (text !== undefined && query === undefined) return { skills: [], total: 0, next_cursor: null };
  const where = conditionsOf(search, query);
  const rank = query === undefined ? sql`0::float8` : sql`ts_rank(search, ${query}::tsquery)::float8`;
  const { after, limit } = search;
  // The matches are found once, for the page and for the count. The page is chosen by rank and id alone, so that long
  // rows are read only for what is shown.
  const { rows } = await sql<SkillRow & PublisherRow & { rank: number; total: number }>`
    with found as materialized (select id, ${rank} as rank, updated_at as stamp from skills where ${where}),
    page as (
      select * from found
      ${after === undefined ? sql`` : sql`where (rank, stamp, id) < (${after.rank}::float8, ${after.stamp}::timestamptz, ${after.id})`}
      order by rank desc, stamp desc, id desc limit ${limit + 1}),
    counted as (select count(*)::integer as total from (select from found limit ${COUNTED}) as few)
    select total, page.rank, skills.id, name, capability_type, description, access, provider, tags, version, updated_at,
      owner_id, display_name as owner_name
    from counted left join (page join skills on skills.id = page.id join accounts on accounts.id = owner_id) on true
    order by page.rank desc, page.stamp desc, page.id desc`.execute(db);
  const found = rows.filter((row) => row.id !== null);
  const page = takePage(found, limit);
  return {
    skills: page.rows.map((row) => ({
      ...wireFound(row, descriptorUrl(config.publicUrl, row)),
      owner: wirePublisher(row, search.caller.kind === 'human' ? search.caller.accountId : undefined),
    })),
    total: rows[0]!.total,
    next_cursor: page.last === undefined ? null : writeRankCursor(page.last),
  };
}

function conditionsOf(search: SkillSearch, query: string | undefined): RawBuilder<unknown> {
  const { caller, type, tag, provider, ownerId } = search;
  const conditions = [visibleTo(caller) as RawBuilder<unknown>];
  if (ownerId === undefined) conditions.push(sql`version is not null`);
  else conditions.push(sql`owner_id = ${ownerId}`, sql`version is not null`);
  if (query !== undefined) conditions.push(sql`search @@ ${query}::tsquery`);
  if (type !== undefined) conditions.push(sql`capability_type = ${type}`);
  if (tag !== undefined) conditions.push(sql`tags @> array[${tag}]::text[]`);
  if (provider !== undefined) conditions.push(sql`provider = ${provider}`);
  return sql.join(conditions, sql` and `);
}

export async function countTags({ db }: Platform, caller: Caller) {
  const { rows } = await sql<{ tag: string; skills: number }>`
    select tag, count(*)::integer as skills from skills, unnest(tags) as tag
    where ${visibleTo(caller)} and version is not null
    group by tag order by skills desc, tag limit ${MAX_TAGS}`.execute(db);
  return rows;
}

/** Lists what this host itself offers, as far as the caller may see it (SD-8). */
export async function listHostSkills({ db, config }: Platform, caller: Caller) {
  const { rows } = await sql<SkillRow>`
    select ${COLUMNS} from skills where host and version is not null and ${visibleTo(caller)}
    order by id limit ${MAX_INDEX}`.execute(db);
  return rows.map((row) => wireEntry(row, descriptorUrl(config.publicUrl, row)));
}
