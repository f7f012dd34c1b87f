const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

const FIRST_DELAY_MS = 5 * SECOND;
const LONGEST_DELAY_MS = 6 * HOUR;
const JITTER = 0.2;

interface Attempt {
  /** The number of attempts, including this one. */
  readonly attempts: number;
  readonly now: Date;
  readonly expiresAt: Date;
}

/** Returns when to try again; undefined once the delivery has expired. `random` is in [0, 1). */
export function nextAttempt({ attempts, now, expiresAt }: Attempt, random: number): Date | undefined {
  if (now >= expiresAt) return undefined;
  const delay = Math.min(FIRST_DELAY_MS * 3 ** (attempts - 1), LONGEST_DELAY_MS);
  const jittered = delay * (1 - JITTER + 2 * JITTER * random);
  // The last attempt is at the very end, whatever the jitter is.
  return new Date(Math.min(now.getTime() + jittered, expiresAt.getTime()));
}

const LONGEST_PAUSE_MS = 300 * SECOND;

/**
 * How long nothing is sent to an endpoint after so many failures in a row. Otherwise each of a thousand waiting
 * deliveries would spend a worker's time on the same time-out.
 */
export function pauseAfter(failures: number): number {
  return Math.min(SECOND * 2 ** Math.min(failures, 10), LONGEST_PAUSE_MS);
}
