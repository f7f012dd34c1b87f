import type { Locale } from '@parley/base';
import { diffManifests, type Manifest, type Policy } from '@parley/documents';
import type { agentRoutes, ReplyOf } from '@parley/protocol';
import { takePage } from '../http/page.ts';
import { RequestError } from '../http/request-error.ts';
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
  /** The version before `to` by default, or `to` itself if it is the first. */
  readonly from: number | undefined;
  /** The newest version by default. */
  readonly to: number | undefined;
  readonly policy: Policy;
  readonly locale: Locale;
}

export async function diffVersions(db: Db, { agentId, from, to, policy, locale }: DiffRequest): Promise<Diff> {
  const after = await findVersion(db, agentId, to);
  const before = await findVersion(db, agentId, from ?? Math.max(1, after.version - 1));
  const diff = diffManifests(before.manifest as Manifest, after.manifest as Manifest, { policy, locale });
  return { agent_id: agentId, from: before.version, to: after.version, ...wireDiff(diff) };
}

async function findVersion(db: Db, agentId: string, version: number | undefined) {
  const row = await db
    .selectFrom('agent_manifests')
    .select(['version', 'manifest', 'hash', 'breaking', 'created_at'])
    .where('agent_id', '=', agentId)
    .$if(version !== undefined, (query) => query.where('version', '=', version!))
    .orderBy('version', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) throw new RequestError('NOT_FOUND');
  return row;
}
