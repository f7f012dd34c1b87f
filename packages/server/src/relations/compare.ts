import { diffManifests, type Manifest } from '@parley/documents';
import type { Trx } from '../storage/database.ts';
import { findManifest } from './store.ts';

export interface Comparison {
  readonly breaking: boolean;
  readonly scopes: readonly string[];
}

/** From one of the agent's versions to `manifest`, by the server's rules (chapter 2). Each version is compared once. */
export function createComparison(
  trx: Trx,
  { agentId, manifest }: { agentId: string; manifest: Manifest },
): (version: number) => Promise<Comparison> {
  const known = new Map<number, Comparison>();
  return async (version) => {
    const found = known.get(version);
    if (found !== undefined) return found;
    const old = (await findManifest(trx, agentId, version)) ?? { ...manifest, ...NOTHING };
    const { breaking, scopesRequiringReauth } = diffManifests(old, manifest);
    const comparison = { breaking, scopes: scopesRequiringReauth };
    known.set(version, comparison);
    return comparison;
  };
}

/** Version 0: an agent without a manifest can ask for nothing. */
const NOTHING = { tools: [], permission_scopes: [], capability_flags: {} };
