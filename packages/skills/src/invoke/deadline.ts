import { SkillError } from '../skill-error.ts';

/** The deadline and abort signal of one invocation (SI-3). */
export interface Deadline {
  /** The signal of the caller. */
  readonly signal: AbortSignal | undefined;
  remaining(): number;
  /** The error if it is over, otherwise undefined. */
  ending(): SkillError | undefined;
  /** Ends early if the deadline or an abort comes first. */
  sleep(ms: number): Promise<void>;
  /** Resolves with the promise's value if it comes in time. */
  race<T>(promise: Promise<T>): Promise<T>;
}

/** A timer may fire a moment early. */
const TOLERANCE_MS = 2;

/** It creates no AbortController and no timer: most invocations are one request, which has both. */
export function startDeadline(timeoutMs: number, signal?: AbortSignal): Deadline {
  const end = performance.now() + timeoutMs;
  const remaining = () => Math.max(0, end - performance.now());
  const ending = () => {
    if (signal?.aborted) return new SkillError('EXECUTION_CANCELLED');
    return remaining() < TOLERANCE_MS ? new SkillError('EXECUTION_TIMEOUT') : undefined;
  };
  /** Calls `stop` after a time or when the caller aborts; the returned function cancels that. */
  const guard = (ms: number, stop: () => void): (() => void) => {
    const timer = setTimeout(stop, ms);
    signal?.addEventListener('abort', stop, { once: true });
    return () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
    };
  };
  return {
    signal,
    remaining,
    ending,
    sleep: (ms) =>
      new Promise((resolve) => {
        const wake = () => {
          release();
          resolve();
        };
        const release = guard(Math.min(ms, remaining()), wake);
        if (signal?.aborted) wake();
      }),
    race: (promise) =>
      new Promise((resolve, reject) => {
        const stop = () => reject(ending() ?? new SkillError('EXECUTION_TIMEOUT'));
        const release = guard(remaining(), stop);
        if (signal?.aborted) stop();
        promise.then(resolve, reject).finally(release);
      }),
  };
}
