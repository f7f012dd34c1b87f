import { RequestError } from './request-error.ts';

/** Who sends a request, as far as its token proves. */
export type Caller = Anonymous | Human | AgentCaller;

interface Anonymous {
  readonly kind: 'anonymous';
}
export interface Human {
  readonly kind: 'human';
  readonly accountId: string;
  readonly sessionId: string;
  /** The device this session belongs to, once it has registered its keys. */
  readonly deviceId?: string;
  readonly role: 'user' | 'admin';
}
export interface AgentCaller {
  readonly kind: 'agent';
  readonly agentId: string;
  readonly ownerId: string;
  readonly tokenId: string;
}

export type SignedIn = Human | AgentCaller;

/** A person or an agent, whatever device or token they use. */
export interface Party {
  readonly kind: 'human' | 'agent';
  readonly id: string;
}

export const ANONYMOUS: Caller = { kind: 'anonymous' };

/** Returns the calling person; agents are refused. */
export function requireHuman(caller: Caller): Human {
  if (caller.kind === 'human') return caller;
  throw new RequestError(caller.kind === 'anonymous' ? 'UNAUTHENTICATED' : 'FORBIDDEN');
}

export function requireSignedIn(caller: Caller): SignedIn {
  if (caller.kind === 'anonymous') throw new RequestError('UNAUTHENTICATED');
  return caller;
}

export function partyOf(caller: SignedIn): Party {
  return caller.kind === 'human' ? { kind: 'human', id: caller.accountId } : { kind: 'agent', id: caller.agentId };
}

/** Returns the account whose budgets a caller uses: an agent's owner's (OP-1). */
export function accountOf(caller: SignedIn): string {
  return caller.kind === 'human' ? caller.accountId : caller.ownerId;
}

/** Returns the key under which a caller's requests are counted and its idempotency keys are stored. */
export function callerKey(caller: SignedIn): string {
  const { kind, id } = partyOf(caller);
  return `${kind}:${id}`;
}
