import { isPassing } from './failure.ts';
import type { Platform } from './types.ts';

/** TR-2. */
const DELAYS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000] as const;

/** Between half of the delay and all of it: a server that comes back must not meet everyone at once. */
export function delayOf(attempt: number, random: number): number {
  return DELAYS[Math.min(attempt, DELAYS.length - 1)]! * (0.5 + random / 2);
}

export function randomOf({ crypto }: Pick<Platform, 'crypto'>): number {
  const [a, b] = crypto.randomBytes(2);
  return (a! * 256 + b!) / 65_536;
}

/** Lets what waits go on at once. */
export interface Patience {
  /** The task again and again, as long as the server cannot be reached, or whatever else passes. */
  retry<T>(task: () => Promise<T>, passes?: (error: unknown) => boolean): Promise<T>;
  wake(): void;
  /** Whoever waits gets this error, and so does everyone after them. */
  stop(error: Error): void;
}

export function createPatience(platform: Platform): Patience {
  const waiting = new Set<(error?: Error) => void>();
  let stopped: Error | undefined;

  const pause = (ms: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const cancel = platform.setTimer(() => go(), ms);
      const go = (error?: Error) => {
        cancel();
        waiting.delete(go);
        if (error === undefined) resolve();
        else reject(error);
      };
      waiting.add(go);
    });

  return {
    retry: async (task, passes = isPassing) => {
      for (let attempt = 0; ; attempt++) {
        if (stopped !== undefined) throw stopped;
        try {
          return await task();
        } catch (error) {
          if (!passes(error)) throw error;
        }
        if (stopped !== undefined) throw stopped;
        await pause(delayOf(attempt, randomOf(platform)));
      }
    },
    wake: () => {
      for (const go of [...waiting]) go();
    },
    stop: (error) => {
      stopped = error;
      for (const go of [...waiting]) go(error);
    },
  };
}
