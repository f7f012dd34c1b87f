import { createDeferred, type Deferred } from '@parley/base';
import type { Ack } from '../types.ts';

/** A message that is neither acknowledged nor refused yet. */
export interface PendingSend extends Deferred<Ack> {
  readonly conversationId: string;
  /** False for messages of an earlier run, until someone sends them again. */
  isAwaited: boolean;
}

export function createPendingSend(conversationId: string): PendingSend {
  const deferred = createDeferred<Ack>();
  // The failure of a message that nobody awaits is reported as a problem instead.
  deferred.promise.catch(() => {});
  return { ...deferred, conversationId, isAwaited: false };
}
