import { diffManifests, type Manifest, type ManifestDiff } from '@parley/documents';
import type { Trx } from '../storage/database.ts';
import { findManifest } from './store.ts';

/** The parts of a diff that re-authorisation uses. */
export type Comparison = Pick<ManifestDiff, 'breaking' | 'scopesRequiringReauth'>;

/**
 * Compares the agent's versions with `manifest`, by the server's rules (chapter 2). Each version is compared once; for
 * those in `known` the answer is known already.
 */
export function createComparison(
  trx: Trx,
  { agentId, manifest }: { agentId: string; manifest: Manifest },
  known: Map<number, Comparison>,
): (version: number) => Promise<Comparison> {
  return async (version) => {
    const found = known.get(version);
    if (found !== undefined) return found;
    const old = (await findManifest(trx, agentId, version)) ?? { ...manifest, ...NOTHING };
    const comparison = diffManifests(old, manifest);
    known.set(version, comparison);
    return comparison;
  };
}

/** Version 0: an agent without a manifest can ask for nothing. */
const NOTHING = { tools: [], permission_scopes: [], capability_flags: {} };
