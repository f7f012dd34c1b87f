import { Failure } from './request-error.ts';

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
  readonly tokenId: string;
}

export const ANONYMOUS: Caller = { kind: 'anonymous' };

/** The person who calls; agents may not. */
export function requireHuman(caller: Caller): Human {
  if (caller.kind === 'human') return caller;
  throw new Failure(caller.kind === 'anonymous' ? 'UNAUTHENTICATED' : 'FORBIDDEN');
}
