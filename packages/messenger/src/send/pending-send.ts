import { createDeferred, type Deferred } from '@parley/base';
import type { Ack } from '../types.ts';

/** Whoever wants to know what became of a message. */
export interface PendingSend extends Deferred<Ack> {
  readonly conversationId: string;
  /** Somebody wants to know how it ends; of what a restart brought, at first nobody. */
  isAwaited: boolean;
}

export function createPendingSend(conversationId: string): PendingSend {
  const deferred = createDeferred<Ack>();
  // Of what nobody awaits, a failure is reported elsewhere.
  deferred.promise.catch(() => {});
  return { ...deferred, conversationId, isAwaited: false };
}
