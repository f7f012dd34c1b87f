import { effectiveSensitivity, type Manifest } from '@parley/documents';
import type { LedgerScope } from '@parley/protocol';
import { RequestError } from '../http/request-error.ts';
import type { RelationAgent } from './store.ts';

/** What a user agrees to: scopes of one version of the manifest. */
export interface Consent {
  readonly scopes: readonly string[];
  readonly manifest: Manifest | null;
  readonly version: number;
  readonly hash: string | null;
  readonly mode: RelationAgent['connection_mode'];
}

/**
 * Returns consent to the agent's current manifest. `hash` is that of the text the user was shown, if the client sends
 * it.
 */
export function consentTo(agent: RelationAgent, scopes: readonly string[], hash: string | null | undefined): Consent {
  const current = agent.capability_manifest_hash;
  if (hash !== undefined && hash !== current) {
    const details = {
      capability_manifest_version: agent.capability_manifest_version,
      capability_manifest_hash: current,
    };
    throw new RequestError('MANIFEST_CHANGED', {}, { details });
  }
  const declared = new Set(agent.capability_manifest?.permission_scopes.map((scope) => scope.id));
  const unknown = scopes.filter((scope) => !declared.has(scope));
  if (unknown.length > 0) {
    throw new RequestError('SCOPE_UNKNOWN', { scope: unknown.join(', ') }, { details: { scopes: unknown } });
  }
  return {
    scopes,
    manifest: agent.capability_manifest,
    version: agent.capability_manifest_version,
    hash: current,
    mode: agent.connection_mode,
  };
}

/** Whoever adds the agent also grants the scopes of its required tools (CM-5). They may be revoked later. */
export function requireScopes({ manifest, scopes }: Consent): void {
  const required = manifest?.tools.filter((tool) => tool.required).map((tool) => tool.permission_scope) ?? [];
  const missing = [...new Set(required)].filter((scope) => !scopes.includes(scope)).sort();
  if (missing.length > 0) {
    throw new RequestError('SCOPE_REQUIRED', { scopes: missing.join(', ') }, { details: { scopes: missing } });
  }
}

/** Returns the scopes with their levels in the text agreed to (CM-11), as a ledger entry must have them. */
export function scopesWithLevels({ manifest, scopes }: Consent): LedgerScope[] {
  const declared = new Map(manifest?.permission_scopes.map((scope) => [scope.id, scope]));
  return scopes.map((id) => ({ id, sensitivity: effectiveSensitivity(declared.get(id)!) }));
}
