import { decodeJwt } from 'jose';
import type { Auth } from '../auth/index.ts';
import type { AgentCaller, Human } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';

/** Who a socket speaks for, and until when. */
export interface SocketIdentity {
  readonly caller: Human | AgentCaller;
  readonly token: string;
  /** Undefined for a token that does not expire. */
  readonly expiresAt: Date | undefined;
}

/** Where a socket was opened: `/ws/human`, or `/ws/agent` for one agent. */
export type SocketEndpoint = { readonly kind: 'human' } | { readonly kind: 'agent'; readonly agentId: string };

/** Resolves with undefined if the token is right but not for this endpoint. A wrong token is refused. */
export async function identifySocket(
  platform: Platform,
  auth: Auth,
  { endpoint, token }: { readonly endpoint: SocketEndpoint; readonly token: string },
): Promise<SocketIdentity | undefined> {
  const caller = await auth.authenticate(token);
  if (caller.kind === 'anonymous') throw new RequestError('UNAUTHENTICATED');
  if (caller.kind !== endpoint.kind) return undefined;
  if (caller.kind === 'human') return { caller, token, expiresAt: new Date(decodeJwt(token).exp! * 1_000) };
  if (endpoint.kind !== 'agent' || caller.agentId !== endpoint.agentId) return undefined;
  const row = await platform.db
    .selectFrom('agent_tokens')
    .select('expires_at')
    .where('id', '=', caller.tokenId)
    .executeTakeFirst();
  return { caller, token, expiresAt: row?.expires_at ?? undefined };
}

/** May `next` replace `before` on the same socket? A device may have been registered in between. */
export function isSameParty({ caller: before }: SocketIdentity, { caller: next }: SocketIdentity): boolean {
  if (before.kind === 'agent' || next.kind === 'agent') {
    return before.kind === 'agent' && next.kind === 'agent' && before.agentId === next.agentId;
  }
  const sameDevice = before.deviceId === undefined || before.deviceId === next.deviceId;
  return before.accountId === next.accountId && sameDevice;
}
