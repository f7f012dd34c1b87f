import { sql } from 'kysely';
import type { Comparison } from '../manifests/index.ts';
import type { Platform } from '../platform.ts';
import type { Db } from '../storage/database.ts';
import { readManifestTexts } from './store.ts';

/** By version, comparisons with a manifest that is about to be published. */
export type Comparisons = Map<number, Comparison>;

export interface Version {
  readonly version: number;
  /** Null for version 0, an agent without a manifest. */
  readonly hash: string | null;
}

/** A version that someone agrees to. */
export interface AgreedVersion extends Version {
  /** How many people. */
  readonly people: number;
}

/**
 * Finds the versions that someone agrees to, and the current one; undefined if there is no such agent.
 */
export async function listAgreed(
  db: Db,
  agentId: string,
): Promise<{ readonly current: Version; readonly agreed: readonly AgreedVersion[] } | undefined> {
  const { rows } = await sql<AgreedVersion & { current: number }>`
    select agent.capability_manifest_version as current, agreed.version, agreed.people, manifest.hash
    from agents agent
    cross join lateral (
      select version, sum(people)::int as people from (
          select agreed_version as version, count(*) as people from h2a_relations
          where agent_id = agent.id and status <> 'ended' group by 1
        union all
          select agent.capability_manifest_version, 0) as each group by 1) as agreed
    left join agent_manifests manifest on manifest.agent_id = agent.id and manifest.version = agreed.version
    where agent.id = ${agentId} and agent.status <> 'deleted'`.execute(db);
  const current = rows.find((row) => row.version === row.current);
  return current && { current, agreed: rows };
}

export interface NewManifest {
  readonly agentId: string;
  /** The owner of the agent, whose processor time it costs. */
  readonly account: string;
  readonly hash: string;
  readonly text: string;
}

/** How many texts are in memory at a time. */
const BATCH = 16;

/**
 * Compares a manifest with these versions, as far as that is not in `comparisons` already. It holds neither a lock nor
 * a connection meanwhile (OP-5): whoever publishes finds out whether something is missing, and asks again.
 */
export async function compareVersions(
  { db, manifests, budgets }: Pick<Platform, 'db' | 'manifests' | 'budgets'>,
  { agentId, account, hash, text }: NewManifest,
  { versions, comparisons }: { readonly versions: readonly Version[]; readonly comparisons: Comparisons },
): Promise<void> {
  const unknown: Version[] = [];
  for (const version of versions) {
    if (comparisons.has(version.version)) continue;
    const known = manifests.findComparison({ before: version.hash, after: hash });
    if (known === undefined) unknown.push(version);
    else comparisons.set(version.version, known);
  }
  for (let start = 0; start < unknown.length; start += BATCH) {
    const batch = unknown.slice(start, start + BATCH);
    const numbers = batch.map(({ version }) => version);
    const texts = await budgets.concurrent(account, 'connections', () => readManifestTexts(db, agentId, numbers));
    const compare = async ({ version, hash: before }: Version) => {
      const readTexts = async () => ({ before: texts.get(version) ?? null, after: text });
      comparisons.set(version, await manifests.compare(account, { before, after: hash }, readTexts));
    };
    await Promise.all(batch.map(compare));
  }
}

/** Thrown where a comparison is needed that was not made: someone published, or agreed, in the meantime. */
export const MISSING = new Error('a comparison is missing');

export function findComparison(comparisons: Comparisons, version: number): Comparison {
  const found = comparisons.get(version);
  if (found === undefined) throw MISSING;
  return found;
}
