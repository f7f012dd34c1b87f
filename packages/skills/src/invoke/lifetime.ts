import { SkillError } from '../error.ts';

/** How long an invocation may go on: until its time is over, or its caller has had enough (SI-3). */
export interface Lifetime {
  readonly signal: AbortSignal;
  remaining(): number;
  /** Throws where it is over. */
  check(): void;
  sleep(ms: number): Promise<void>;
  release(): void;
}

export function startLifetime(timeoutMs: number, outer?: AbortSignal): Lifetime {
  const controller = new AbortController();
  const { signal } = controller;
  const end = performance.now() + timeoutMs;
  const timer = setTimeout(() => controller.abort(new SkillError('EXECUTION_TIMEOUT')), timeoutMs);
  const cancel = () => controller.abort(new SkillError('EXECUTION_CANCELLED'));
  if (outer?.aborted) cancel();
  else outer?.addEventListener('abort', cancel, { once: true });
  return {
    signal,
    remaining: () => Math.max(0, end - performance.now()),
    check: () => signal.throwIfAborted(),
    sleep: (ms) =>
      new Promise((resolve, reject) => {
        const stop = () => {
          clearTimeout(waiting);
          reject(signal.reason);
        };
        const waiting = setTimeout(() => {
          signal.removeEventListener('abort', stop);
          resolve();
        }, ms);
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop, { once: true });
      }),
    release: () => {
      clearTimeout(timer);
      outer?.removeEventListener('abort', cancel);
    },
  };
}
