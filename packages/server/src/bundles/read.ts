import { compareVersions } from '@parley/documents/skill';
import type { bundleRoutes, ReplyOf } from '@parley/protocol';
import { sql } from 'kysely';
import { takePage } from '../http/page.ts';
import { RequestError } from '../http/request-error.ts';
import { type PublisherRow, wirePublisher } from '../people/publisher.ts';
import type { Platform } from '../platform.ts';
import { type RankCursor, writeRankCursor } from '../search/rank-cursor.ts';
import { toQuery } from '../search/terms.ts';
import type { Db, Trx } from '../storage/database.ts';
import { refresh } from './publish.ts';
import { type SummaryRow, wireSummary, wireVersion } from './wire.ts';

type WireIndex = ReplyOf<typeof bundleRoutes.readMirrorIndex>;

/** Bundles of accounts that were deleted or banned are shown to nobody. */
const OPEN = sql`not exists (
  select from accounts where accounts.id = bundles.owner_id and accounts.status <> 'active')`;

async function findBundle(db: Db | Trx, id: string) {
  const { rows } = await sql<PublisherRow & { id: string; version: string | null }>`
    select bundles.id, version, owner_id, display_name as owner_name from bundles join accounts on accounts.id = owner_id
    where bundles.id = ${id} and ${OPEN}`.execute(db);
  if (rows[0] === undefined) throw new RequestError('NOT_FOUND');
  return rows[0];
}

/** Without a version, returns the newest that was not yanked; if all were, the highest. */
export async function readBundle(
  db: Db,
  id: string,
  { readerId, version }: { readonly readerId?: string | undefined; readonly version?: string } = {},
) {
  const bundle = await findBundle(db, id);
  const rows = await db
    .selectFrom('bundle_versions')
    .select(['version', 'digest', 'yanked', 'created_at'])
    .where('bundle_id', '=', id)
    .execute();
  const versions = rows.sort((a, b) => compareVersions(b.version, a.version));
  const wanted = version ?? bundle.version ?? versions[0]?.version;
  const row = wanted === undefined ? undefined : await findVersion(db, id, wanted);
  if (row === undefined) throw new RequestError('NOT_FOUND');
  return {
    manifest: JSON.parse(row.manifest) as unknown,
    version: row.version,
    digest: row.digest,
    owner: wirePublisher(bundle, readerId),
    yanked: row.yanked,
    kits: row.kits as Record<string, WireIndex>,
    versions: versions.map(wireVersion),
  };
}

/** Throws NOT_FOUND for a hidden bundle, even for someone who knows the paths of its files. */
export async function findOpenVersion(db: Db, bundleId: string, version: string) {
  await findBundle(db, bundleId);
  return findVersion(db, bundleId, version);
}

async function findVersion(db: Db | Trx, bundleId: string, version: string) {
  return db
    .selectFrom('bundle_versions')
    .selectAll()
    .where('bundle_id', '=', bundleId)
    .where('version', '=', version)
    .executeTakeFirst();
}

export async function setYanked(
  { db, now }: Platform,
  { accountId, bundleId, version, yanked }: { accountId: string; bundleId: string; version: string; yanked: boolean },
) {
  return db.transaction().execute(async (trx) => {
    const bundle = await findBundle(trx, bundleId);
    if (bundle.owner_id !== accountId) throw new RequestError('FORBIDDEN');
    await trx.selectFrom('bundles').select('id').where('id', '=', bundleId).forUpdate().execute();
    const row = await trx
      .updateTable('bundle_versions')
      .set({ yanked })
      .where('bundle_id', '=', bundleId)
      .where('version', '=', version)
      .returning(['version', 'digest', 'yanked', 'created_at'])
      .executeTakeFirst();
    if (row === undefined) throw new RequestError('NOT_FOUND');
    await refresh(trx, bundleId, now());
    return wireVersion(row);
  });
}

export interface BundleSearch {
  readonly text?: string | undefined;
  readonly tag?: string | undefined;
  readonly category?: string | undefined;
  readonly ownerId?: string | undefined;
  readonly readerId?: string | undefined;
  readonly after?: RankCursor | undefined;
  readonly limit: number;
}

export async function searchBundles({ db }: Platform, search: BundleSearch) {
  const { tag, category, ownerId, readerId, after, limit } = search;
  const text = search.text?.trim() ? search.text : undefined;
  const query = text === undefined ? undefined : toQuery(text);
  if (text !== undefined && query === undefined) return { bundles: [], nextCursor: null };
  const conditions = [OPEN, sql`version is not null`];
  if (query !== undefined) conditions.push(sql`search @@ ${query}::tsquery`);
  if (tag !== undefined) conditions.push(sql`tags @> array[${tag}]::text[]`);
  if (category !== undefined) conditions.push(sql`category = ${category}`);
  if (ownerId !== undefined) conditions.push(sql`owner_id = ${ownerId}`);
  const rank = query === undefined ? sql`0::float8` : sql`ts_rank(search, ${query}::tsquery)::float8`;
  const { rows } = await sql<SummaryRow & { rank: number }>`
    select * from (
      select ${rank} as rank, bundles.id, version, name, summary, author, category, tags, risk, digest, updated_at,
        owner_id, display_name as owner_name
      from bundles join accounts on accounts.id = owner_id where ${sql.join(conditions, sql` and `)}
    ) as found
    ${after === undefined ? sql`` : sql`where (rank, updated_at, id) < (${after.rank}::float8, ${after.stamp}::timestamptz, ${after.id})`}
    order by rank desc, updated_at desc, id desc limit ${limit + 1}`.execute(db);
  const page = takePage(rows, limit);
  return {
    bundles: page.rows.map((row) => wireSummary(row, readerId)),
    nextCursor: page.last === undefined ? null : writeRankCursor(page.last),
  };
}
