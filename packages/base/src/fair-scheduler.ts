import { createDeferred } from './deferred.ts';
import { type Admission, createFairQueue, type FairQueueOptions } from './fair-queue.ts';

/** Runs tasks a few at a time, in turns by account. */
export interface FairScheduler {
  /** Resolves with the result of the task. A task that cannot wait is rejected with the error of `refuse`. */
  run<Result>(account: string, task: () => Promise<Result>, cost?: number): Promise<Result>;
  /** How many tasks of this account run or wait. */
  count(account: string): number;
  /** How many tasks wait. */
  readonly waiting: number;
  /** Resolves when no task runs or waits. */
  idle(): Promise<void>;
}

export interface FairSchedulerOptions extends Omit<FairQueueOptions, 'turn'> {
  /** The default is 1: each account runs one task in its turn, whatever it costs. */
  readonly turn?: number;
  /** The most tasks that run at the same time: of all accounts, and of one. */
  readonly concurrency: number;
  readonly concurrencyOfOne: number;
  refuse(reason: Exclude<Admission, 'added'>): Error;
}

export function createFairScheduler(options: FairSchedulerOptions): FairScheduler {
  const { concurrency, concurrencyOfOne, refuse, turn = 1, max, maxOfOne } = options;
  const queue = createFairQueue<{ readonly account: string; start(): Promise<void> }>({ turn, max, maxOfOne });
  const running = new Map<string, number>();
  let total = 0;
  let onIdle: (() => void)[] = [];

  const isReady = (account: string) => (running.get(account) ?? 0) < concurrencyOfOne;
  const leave = (account: string): void => {
    const left = running.get(account)! - 1;
    if (left === 0) running.delete(account);
    else running.set(account, left);
    total--;
    startNext();
    if (total > 0) return;
    for (const resolve of onIdle) resolve();
    onIdle = [];
  };
  const startNext = (): void => {
    while (total < concurrency) {
      const next = queue.take(isReady);
      if (next === undefined) return;
      total++;
      running.set(next.account, (running.get(next.account) ?? 0) + 1);
      void next.start().finally(() => leave(next.account));
    }
  };

  return {
    run: <Result>(account: string, task: () => Promise<Result>, cost = 1) => {
      const { promise, resolve, reject } = createDeferred<Result>();
      // Called in a `then`, so that a task that throws at once is rejected like any other.
      const start = () => Promise.resolve().then(task).then(resolve, reject);
      const admission = queue.add(account, { account, start }, cost);
      if (admission === 'added') startNext();
      else reject(refuse(admission));
      return promise;
    },
    count: (account) => (running.get(account) ?? 0) + queue.count(account),
    get waiting() {
      return queue.size;
    },
    idle: () => (total === 0 ? Promise.resolve() : new Promise((resolve) => onIdle.push(resolve))),
  };
}
