/** Returns between half of the delay and all of it: a server that comes back must not meet everyone at once. */
export function addJitter(delayMs: number, random: number): number {
  return delayMs * (0.5 + random / 2);
}

export interface RetryOptions {
  /** The delay after each failed attempt; the last one is repeated. */
  readonly delaysMs: readonly [number, ...number[]];
  /** Returns a number from 0 to 1. */
  random(): number;
  /** Returns a function that cancels the timer. */
  setTimer(callback: () => void, ms: number): () => void;
}

/** Repeats tasks until they succeed. All that wait for their next attempt can be woken or stopped together. */
export interface Retrier {
  /** Repeats the task as long as it fails with an error that `isTemporary`; any other error is thrown. */
  run<Result>(task: () => Promise<Result>, isTemporary: (error: unknown) => boolean): Promise<Result>;
  /** Makes all waiting tasks try again now. */
  wake(): void;
  /** Rejects all waiting tasks with this error, and every later attempt. */
  stop(error: Error): void;
}

export function createRetrier({ delaysMs, random, setTimer }: RetryOptions): Retrier {
  const waiting = new Set<(error?: Error) => void>();
  let stopped: Error | undefined;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const end = (error?: Error) => {
        cancel();
        waiting.delete(end);
        if (error === undefined) resolve();
        else reject(error);
      };
      const cancel = setTimer(() => end(), ms);
      waiting.add(end);
    });

  return {
    run: async (task, isTemporary) => {
      for (let attempt = 0; ; attempt++) {
        if (stopped !== undefined) throw stopped;
        try {
          return await task();
        } catch (error) {
          if (!isTemporary(error)) throw error;
        }
        if (stopped !== undefined) throw stopped;
        await pause(addJitter(delaysMs[Math.min(attempt, delaysMs.length - 1)]!, random()));
      }
    },
    wake: () => {
      for (const end of [...waiting]) end();
    },
    stop: (error) => {
      stopped = error;
      for (const end of [...waiting]) end(error);
    },
  };
}
