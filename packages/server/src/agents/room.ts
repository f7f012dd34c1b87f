import { sql } from 'kysely';
import { countAgents } from '../budgets/read-use.ts';
import { NOTHING_USED, readUsage } from '../budgets/stored-bytes.ts';
import type { Platform } from '../platform.ts';
import { ADVISORY_LOCKS } from '../storage/advisory-locks.ts';
import type { Trx } from '../storage/database.ts';

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
  budgets.requireRoom(ownerId, 'manifest_versions', { used: used - dropped, adding: 1 });
}

/**
 * Drops the oldest versions that nobody needs, and returns how many. A version that someone agreed to last stays: every
 * later one is compared with it (RL-9), and whoever revokes their consent names it, even after the end of the relation
 * (RL-10).
 */
export async function dropUnneededManifests(
  trx: Trx,
  agentId: string,
  { before, most }: { readonly before?: number; readonly most?: number } = {},
): Promise<number> {
  const { rows } = await sql`
    delete from agent_manifests where agent_id = ${agentId} and version in (
      select m.version from agent_manifests m
      where m.agent_id = ${agentId} and m.version < coalesce(${before ?? null}::integer, m.version + 1) and not exists (
        select from h2a_relations r
        where r.agent_id = ${agentId} and r.agreed_version = m.version and (r.status <> 'ended' or not r.signed))
      order by m.version limit ${most ?? null}::bigint)
    returning 1`.execute(trx);
  return rows.length;
}
