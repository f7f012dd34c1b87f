import { hashManifest, type Manifest } from '@parley/documents';
import type { Bundle } from '@parley/documents/bundle';
import { type Api, ApiError } from '@parley/messenger';
import { agentRoutes } from '@parley/protocol';
import { findAgent, rememberAgent } from './known-agents.ts';

export interface Registration {
  readonly agentId: string;
  readonly isNew: boolean;
  readonly manifestVersion: number;
  readonly manifestHash: string | null;
  /** People who have added the agent must agree to these scopes again. */
  readonly breaking: readonly string[];
  /** Set only for a new agent; the token is shown this once. */
  readonly token: string | undefined;
}

const MAX_NAME = 64;
const MAX_DESCRIPTION = 2_000;

/** A bundle is one agent per server: it is created the first time and gets the new manifest afterwards (BA-7). */
export async function register(
  api: Api,
  { bundle, manifest, isPublic }: { bundle: Bundle; manifest: Manifest; isPublic: boolean },
): Promise<Registration> {
  const known = findAgent(api.baseUrl, bundle.id);
  const updated = known === undefined ? undefined : await update(api, known, manifest);
  if (updated !== undefined) return updated;
  const reply = await api.call(agentRoutes.createAgent, {
    body: {
      name: bundle.name.slice(0, MAX_NAME),
      description: bundle.summary.slice(0, MAX_DESCRIPTION),
      visibility: isPublic ? 'public' : 'private',
      connection_mode: 'websocket',
      capability_manifest: manifest,
    },
  });
  rememberAgent(api.baseUrl, bundle.id, reply.agent_id);
  return {
    agentId: reply.agent_id,
    isNew: true,
    manifestVersion: reply.capability_manifest_version,
    manifestHash: reply.capability_manifest_hash,
    breaking: [],
    token: reply.token,
  };
}

/** Undefined means that the agent no longer exists. */
async function update(api: Api, agentId: string, manifest: Manifest): Promise<Registration | undefined> {
  const params = { agent_id: agentId };
  try {
    const agent = await api.call(agentRoutes.readAgent, { params });
    const { capability_manifest_hash: manifestHash, capability_manifest_version: manifestVersion } = agent;
    // Pushing the same manifest would create a version without a change.
    if (manifestHash === hashManifest(manifest))
      return { agentId, isNew: false, manifestVersion, manifestHash, breaking: [], token: undefined };
    const reply = await api.call(agentRoutes.updateAgent, { params, body: { capability_manifest: manifest } });
    return {
      agentId,
      isNew: false,
      manifestVersion: reply.capability_manifest_version,
      manifestHash: reply.capability_manifest_hash,
      breaking: reply.breaking_changes.map(({ message }) => message),
      token: undefined,
    };
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return undefined;
    throw error;
  }
}
