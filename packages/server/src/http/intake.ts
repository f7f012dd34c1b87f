import { createFairQueue } from '@parley/base';

/**
 * Handles the frames of all sockets and the bodies of requests in turns by account (OP-3): parsing what one account
 * sends must not keep the processor from the others.
 */
export interface Intake {
  /** Runs it at once while there is little to do, else in its account's turn. What one account adds keeps its order. */
  add(account: string, bytes: number, handle: () => void): void;
}

/** What a frame costs besides its bytes: the smallest take about as long to handle as two hundred bytes more. */
const OVERHEAD = 200;
/** A few milliseconds of work; between two slices other connections and the database are heard. */
const SLICE = 128 * 1024;
const TURN = 16 * 1024;
/** Each socket limits what it has waiting here. */
const NO_LIMIT = { count: Number.POSITIVE_INFINITY, cost: Number.POSITIVE_INFINITY };

export function createIntake(schedule: (run: () => void) => void = setImmediate): Intake {
  const queue = createFairQueue<() => void>({ turn: TURN, max: NO_LIMIT, maxOfOne: NO_LIMIT });
  let spent = 0;
  let isScheduled = false;

  const next = (): void => {
    isScheduled = false;
    spent = 0;
    const before = queue.cost;
    for (const handle of queue.takeBatch({ count: Number.POSITIVE_INFINITY, cost: SLICE })) handle();
    spent = before - queue.cost;
    if (spent > 0) scheduleNext();
  };
  const scheduleNext = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    schedule(next);
  };

  return {
    add: (account, bytes, handle) => {
      const cost = bytes + OVERHEAD;
      scheduleNext();
      if (queue.size === 0 && spent < SLICE) {
        spent += cost;
        handle();
      } else queue.add(account, handle, cost);
    },
  };
}
