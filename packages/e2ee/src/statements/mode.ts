import type { agentRoutes, BodyOf } from '@parley/protocol';
import type { Crypto, KeyPair } from '../provider/crypto.ts';
import { signStatement, verifyStatement } from './statement.ts';

// EE-7: the agent itself says how it is connected, and so how strongly one can write to it.

export type ConnectionMode = BodyOf<typeof agentRoutes.setIdentity>['connection_mode'];

const PURPOSE = 'parley-connection-mode-v1';

export function signMode(
  crypto: Crypto,
  identity: KeyPair,
  { agentId, mode }: { agentId: string; mode: ConnectionMode },
): string {
  return signStatement(crypto, { agent_id: agentId, connection_mode: mode, purpose: PURPOSE }, identity);
}

export function verifyMode(
  crypto: Crypto,
  { agentId, mode }: { agentId: string; mode: ConnectionMode },
  by: { identityKey: string; signature: string },
): boolean {
  const statement = { agent_id: agentId, connection_mode: mode, purpose: PURPOSE };
  return verifyStatement(crypto, statement, { publicKey: by.identityKey, signature: by.signature });
}

/** Only `webhook` goes without the ratchet; a step down to it needs the user's word. */
export function isRatcheted(mode: ConnectionMode): boolean {
  return mode !== 'webhook';
}
