import type { Locale } from '@parley/base';
import type { Policy } from '@parley/documents';
import type { agentRoutes, ReplyOf } from '@parley/protocol';
import { takePage } from '../http/page.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { readManifestTexts } from '../relations/store.ts';
import type { Db } from '../storage/database.ts';
import { wireDiff } from './wire.ts';

type Versions = ReplyOf<typeof agentRoutes.listManifests>;
type Version = ReplyOf<typeof agentRoutes.readManifest>;
type Diff = ReplyOf<typeof agentRoutes.diffManifestVersions>;

export async function listVersions(
  db: Db,
  { agentId, before, limit }: { agentId: string; before: number | undefined; limit: number },
): Promise<Versions> {
  const rows = await db
    .selectFrom('agent_manifests')
    .select(['version', 'hash', 'breaking', 'created_at'])
    .where('agent_id', '=', agentId)
    .$if(before !== undefined, (query) => query.where('version', '<', before!))
    .orderBy('version', 'desc')
    .limit(limit + 1)
    .execute();
  const page = takePage(rows, limit);
  return {
    agent_id: agentId,
    manifests: page.rows.map((row) => ({
      capability_manifest_version: row.version,
      capability_manifest_hash: row.hash,
      breaking: row.breaking,
      created_at: row.created_at.toISOString(),
    })),
    next_cursor: page.last === undefined ? null : String(page.last.version),
  };
}

export async function readVersion(db: Db, agentId: string, version: number): Promise<Version> {
  const row = await findVersion(db, agentId, version);
  return {
    agent_id: agentId,
    capability_manifest_version: row.version,
    capability_manifest_hash: row.hash,
    capability_manifest: row.manifest,
    breaking: row.breaking,
    created_at: row.created_at.toISOString(),
  };
}

export interface DiffRequest {
  readonly agentId: string;
  /** Whoever asks, whose processor time it costs. */
  readonly account: string;
  /** The version before `to` by default, or `to` itself if it is the first. */
  readonly from: number | undefined;
  /** The newest version by default. */
  readonly to: number | undefined;
  readonly policy: Policy;
  readonly locale: Locale;
}

export async function diffVersions(
  { db, manifests }: Pick<Platform, 'db' | 'manifests'>,
  { agentId, account, from, to, policy, locale }: DiffRequest,
): Promise<Diff> {
  const after = await findHash(db, agentId, to);
  const before = await findHash(db, agentId, from ?? Math.max(1, after.version - 1));
  const pair = { before: before.hash, after: after.hash };
  const readTexts = async () => {
    const texts = await readManifestTexts(db, agentId, [before.version, after.version]);
    // A version that was dropped in the meantime.
    if (!texts.has(before.version) || !texts.has(after.version)) throw new RequestError('NOT_FOUND');
    return { before: texts.get(before.version)!, after: texts.get(after.version)! };
  };
  const diff = await manifests.diff(account, pair, { policy, locale, readTexts });
  return { agent_id: agentId, from: before.version, to: after.version, ...wireDiff(diff) };
}

function selectVersion(db: Db, agentId: string, version: number | undefined) {
  return db
    .selectFrom('agent_manifests')
    .where('agent_id', '=', agentId)
    .$if(version !== undefined, (query) => query.where('version', '=', version!))
    .orderBy('version', 'desc')
    .limit(1);
}

async function findHash(db: Db, agentId: string, version: number | undefined) {
  const row = await selectVersion(db, agentId, version).select(['version', 'hash']).executeTakeFirst();
  if (row === undefined) throw new RequestError('NOT_FOUND');
  return row;
}

async function findVersion(db: Db, agentId: string, version: number | undefined) {
  const columns = ['version', 'manifest', 'hash', 'breaking', 'created_at'] as const;
  const row = await selectVersion(db, agentId, version).select(columns).executeTakeFirst();
  if (row === undefined) throw new RequestError('NOT_FOUND');
  return row;
}
