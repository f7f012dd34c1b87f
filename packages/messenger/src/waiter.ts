import type { Ack } from './types.ts';

/** Whoever wants to know what became of a message. */
export interface Waiter {
  readonly conversationId: string;
  readonly promise: Promise<Ack>;
  /** Somebody wants to know how it ends; of what a restart brought, at first nobody. */
  isAwaited: boolean;
  resolve(ack: Ack): void;
  reject(error: unknown): void;
}

export function createWaiter(conversationId: string): Waiter {
  let resolve!: Waiter['resolve'];
  let reject!: Waiter['reject'];
  const promise = new Promise<Ack>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  promise.catch(() => {});
  return { conversationId, promise, isAwaited: false, resolve, reject };
}
