import { sql } from 'kysely';
import { countAgents } from '../budgets/read-use.ts';
import { NOTHING_USED, readUsage } from '../budgets/stored-bytes.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { ADVISORY_LOCKS } from '../storage/advisory-locks.ts';
import type { Trx } from '../storage/database.ts';
import { lockAgent } from './store.ts';

type Deps = Pick<Platform, 'budgets'>;

/** Is there room for one more agent (OP-1)? Two that are created at the same time are counted one after the other. */
export async function requireRoomForAgent(trx: Trx, { budgets }: Deps, ownerId: string): Promise<void> {
  if (budgets.limitOf(ownerId, 'agents') === Number.POSITIVE_INFINITY) return;
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.ownAgents}, hashtext(${ownerId}))`.execute(trx);
  budgets.requireRoom(ownerId, 'agents', { used: await countAgents(trx, ownerId), adding: 1 });
}

interface ManifestOwner {
  readonly agentId: string;
  readonly ownerId: string;
  /** The newest version so far, which someone may be about to agree to. */
  readonly version: number;
}

/**
 * Makes room for one more version of a manifest. Where the account has as many as it may keep, the agent's oldest go that
 * nobody needs. Call it with the agent locked.
 */
export async function makeRoomForManifest(trx: Trx, { budgets }: Deps, owner: ManifestOwner): Promise<void> {
  const { agentId, ownerId, version } = owner;
  const limit = budgets.limitOf(ownerId, 'manifest_versions');
  if (limit === Number.POSITIVE_INFINITY) return;
  const { versions: used } = (await readUsage(trx, [ownerId])).get(ownerId) ?? NOTHING_USED;
  if (used + 1 <= limit) return;
  const dropped = await dropUnneededManifests(trx, agentId, { before: version, most: used + 1 - limit });
  budgets.requireRoom(ownerId, 'manifest_versions', { used: used - dropped.versions, adding: 1 });
}

interface Push extends Omit<ManifestOwner, 'version'> {
  /** What the new version and the reply to it cost. */
  readonly bytes: number;
}

/**
 * Reserves the bytes of a new version. Where they do not fit, as many of the agent's oldest go that nobody needs as make room
 * for it; if they do not, none goes.
 */
export async function reserveForManifest(platform: Platform, { agentId, ownerId, bytes }: Push): Promise<void> {
  const { budgets, db } = platform;
  try {
    await budgets.reserveBytes(ownerId, bytes);
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'QUOTA_EXCEEDED') throw error;
    const makeRoom = async (trx: Trx) => {
      const { capability_manifest_version: before } = await lockAgent(trx, agentId);
      const { bytes: used } = (await readUsage(trx, [ownerId])).get(ownerId) ?? NOTHING_USED;
      const missing = used + bytes - budgets.limitOf(ownerId, 'bytes_stored');
      const dropped = await dropUnneededManifests(trx, agentId, { before, bytes: missing });
      if (dropped.bytes < missing) throw error;
    };
    await budgets.concurrent(ownerId, 'connections', () => db.transaction().execute(makeRoom));
    budgets.rereadBytes(ownerId);
    await budgets.reserveBytes(ownerId, bytes);
  }
}

/**
 * Drops the oldest versions that nobody needs, so many or so many bytes of them or all, and returns what went. A version that someone agreed to last stays: every
 * later one is compared with it (RL-9), and whoever revokes their consent names it, even after the end of the relation
 * (RL-10).
 */
export async function dropUnneededManifests(
  trx: Trx,
  agentId: string,
  { before, most, bytes }: { readonly before?: number; readonly most?: number; readonly bytes?: number } = {},
): Promise<{ readonly versions: number; readonly bytes: number }> {
  const { rows } = await sql<{ versions: number; bytes: number }>`
    with unneeded as (
        select m.version, octet_length(m.manifest::text) as bytes from agent_manifests m
        where m.agent_id = ${agentId} and m.version < coalesce(${before ?? null}::integer, m.version + 1) and not exists (
          select from h2a_relations r
          where r.agent_id = ${agentId} and r.agreed_version = m.version and (r.status <> 'ended' or not r.signed))
        order by m.version limit ${most ?? null}::bigint),
      chosen as (
        select version, bytes, sum(bytes) over (order by version) - bytes as before from unneeded),
      dropped as (
        delete from agent_manifests m using chosen c
        where m.agent_id = ${agentId} and m.version = c.version
          and c.before < coalesce(${bytes ?? null}::bigint, c.before + 1)
        returning c.bytes)
    select count(*)::int as versions, coalesce(sum(bytes), 0)::bigint as bytes from dropped`.execute(trx);
  return rows[0]!;
}
