import { type ConnectionMode, type Crypto, keyFingerprint, signMode, toBase64Url } from '@parley/e2ee';
import { agentRoutes } from '@parley/protocol';
import type { Api } from '../api/api.ts';
import { messengerError } from '../errors.ts';
import type { Store } from '../stores/store.ts';
import { checkOwner, loadOwnKeys, makeOwnKeys, type OwnKeysRecord, saveOwnKeys } from './own-keys.ts';

export interface AgentSetup {
  readonly api: Api;
  readonly crypto: Crypto;
  readonly store: Store;
  readonly agentId: string;
  readonly mode: ConnectionMode;
  /** Replaces the keys that the server knows, if they differ. */
  readonly replaceIdentity: boolean;
  readonly onKeyGenerated?: (fingerprint: string) => void;
}

/**
 * Makes sure that the server knows the agent's keys and mode (EE-7). A keystore other than the one the agent was set up
 * with is refused before anything is saved: everyone who talks to the agent has pinned the other keys.
 */
export async function establishAgentIdentity(setup: AgentSetup): Promise<OwnKeysRecord> {
  const { api, crypto, store, agentId, mode, replaceIdentity } = setup;
  const known = await loadOwnKeys(store);
  const keys = known === undefined ? makeOwnKeys(crypto, agentId) : checkOwner(known, agentId);
  const agent = await api.call(agentRoutes.readAgent, { params: { agent_id: agentId } });
  const identityKey = toBase64Url(keys.identity.publicKey);
  const exchangeKey = toBase64Url(keys.exchange.publicKey);
  if (agent.identity_key !== null && agent.identity_key !== identityKey && !replaceIdentity) {
    throw messengerError('KEYSTORE_MISMATCH');
  }
  if (known === undefined) {
    await saveOwnKeys(store, keys);
    setup.onKeyGenerated?.(keyFingerprint(crypto, { id: agentId, key: keys.identity.publicKey }));
  }
  const isPublished =
    agent.identity_key === identityKey &&
    agent.exchange_key === exchangeKey &&
    agent.connection_mode === mode &&
    agent.connection_mode_signature !== null;
  if (!isPublished) {
    await api.call(agentRoutes.setIdentity, {
      params: { agent_id: agentId },
      body: {
        identity_key: identityKey,
        exchange_key: exchangeKey,
        connection_mode: mode,
        connection_mode_signature: signMode(crypto, keys.identity, { agentId, mode, exchangeKey }),
      },
    });
  }
  return keys;
}
