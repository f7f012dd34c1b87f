import { SkillError } from '../skill-error.ts';

/** How long an invocation may go on: until its time is over, or its caller has had enough (SI-3). */
export interface Lifetime {
  /** The caller's own. */
  readonly signal: AbortSignal | undefined;
  remaining(): number;
  /** What it means that it is over; undefined where it is not. */
  ending(): SkillError | undefined;
  /** Shorter where it ends before. */
  sleep(ms: number): Promise<void>;
  /** The promise's answer, if it comes in time. */
  race<T>(promise: Promise<T>): Promise<T>;
}

/** A timer may ring a moment early. */
const TOLERANCE_MS = 2;

/** Without an AbortController and a timer of its own: most invocations are one request, which has both. */
export function startLifetime(timeoutMs: number, signal?: AbortSignal): Lifetime {
  const end = performance.now() + timeoutMs;
  const remaining = () => Math.max(0, end - performance.now());
  const ending = () => {
    if (signal?.aborted) return new SkillError('EXECUTION_CANCELLED');
    return remaining() < TOLERANCE_MS ? new SkillError('EXECUTION_TIMEOUT') : undefined;
  };
  /** Calls `stop` after a time or when the caller leaves; the answer takes it back. */
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
