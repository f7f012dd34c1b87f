import type { agentRoutes, BodyOf } from '@parley/protocol';
import type { Crypto, KeyPair } from '../provider/crypto.ts';
import { signStatement, verifyStatement } from './statement.ts';

// EE-7: the agent itself signs how it is connected, and thereby how strongly messages to it are encrypted.

export type ConnectionMode = BodyOf<typeof agentRoutes.setIdentity>['connection_mode'];

const PURPOSE = 'parley-connection-mode-v1';

/** The exchange key is part of it: whoever could replace that key could read what is sealed for it. */
export interface Connection {
  readonly agentId: string;
  readonly mode: ConnectionMode;
  readonly exchangeKey: string;
}

export function signMode(crypto: Crypto, identity: KeyPair, connection: Connection): string {
  return signStatement(crypto, statementOf(connection), identity);
}

export function verifyMode(
  crypto: Crypto,
  connection: Connection,
  by: { identityKey: string; signature: string },
): boolean {
  return verifyStatement(crypto, statementOf(connection), { publicKey: by.identityKey, signature: by.signature });
}

function statementOf({ agentId, mode, exchangeKey }: Connection) {
  return { agent_id: agentId, connection_mode: mode, exchange_key: exchangeKey, purpose: PURPOSE };
}

/** Only `webhook` works without the ratchet; a change to it needs the user's consent. */
export function isRatcheted(mode: ConnectionMode): boolean {
  return mode !== 'webhook';
}
