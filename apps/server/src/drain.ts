import { setTimeout } from 'node:timers/promises';
import type { Instance } from './instance.ts';

export const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** npm passes on the Ctrl-C that its child has had already: that does not count as a second signal. */
const ECHO_MS = 500;
type Ending = Pick<Instance, 'drain' | 'stop' | 'drainDelayMs'>;

/** On top of the delay that the operator asked for. */
const DRAIN_MS = 10_000;

/**
 * Resolves with the exit code once a signal has come and everything is closed: 0, or 1 where something had to be cut
 * off. What is still starting when the signal comes is waited for, and so is the database at the end: whoever is told
 * that the server has ended finds nothing of it left. A second signal waits for nothing.
 */
export function waitForEnd(starting: Promise<Ending>, fail: (error: unknown) => void): Promise<number> {
  return new Promise((resolve) => {
    let began: number | undefined;
    const onSignal = () => {
      const now = performance.now();
      if (began !== undefined) {
        if (now - began > ECHO_MS) resolve(1);
        return;
      }
      began = now;
      const onFailure = (error: unknown) => {
        fail(error);
        resolve(1);
      };
      // A start that fails is told by whoever waits for it.
      starting.then((instance) => end(instance).then(resolve, onFailure)).catch(() => {});
    };
    const end = async ({ drain, stop, drainDelayMs }: Ending): Promise<number> => {
      try {
        return await Promise.race([drain().then(() => 0), cutOff(drainDelayMs)]);
      } finally {
        await stop();
      }
    };
    for (const signal of SIGNALS) process.on(signal, onSignal);
  });
}

/** Not unref'd: it keeps the process alive where `drain` waits for something that never comes. */
const cutOff = (delayMs: number) => setTimeout(delayMs + DRAIN_MS, 1);
