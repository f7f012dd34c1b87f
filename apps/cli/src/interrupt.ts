import { CommandError } from './command-error.ts';
import type { MessageKey } from './messages/index.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Resolves at Ctrl-C. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
  });
}

/** The first Ctrl-C aborts the work, which undoes what it began; a second one kills the process. */
export async function withInterrupt<Result>(
  key: MessageKey,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new CommandError('INTERRUPTED', { sentences: [{ key }] }));
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    return await run(controller.signal);
  } catch (error) {
    // Timers and requests wrap the reason in an error of their own.
    throw controller.signal.aborted && isAbort(error) ? controller.signal.reason : error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt);
  }
}

const isAbort = (error: unknown): boolean => error instanceof Error && error.name === 'AbortError';
