import { CommandError } from './command-error.ts';
import type { MessageKey } from './messages/index.ts';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Resolves at Ctrl-C, for commands that run until then. */
export function untilInterrupted(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of SIGNALS) process.once(signal, () => resolve());
  });
}

/**
 * Ctrl-C as a wish: the work is told, puts back what it has begun, and ends with a sentence that says how things are.
 * A second Ctrl-C is the system's own.
 */
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
