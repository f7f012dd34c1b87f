const SECOND = 1_000;
const HOUR = 3_600 * SECOND;

const FIRST_DELAY_MS = 5 * SECOND;
const LONGEST_DELAY_MS = 6 * HOUR;
const JITTER = 0.2;
/** Nothing is put off for longer than this. */
export const LONGEST_WAIT_MS = LONGEST_DELAY_MS * (1 + JITTER);
/** As many as fit into the day, with the shortest delays. */
const MOST_ATTEMPTS = 14;

interface Attempt {
  /** The number of attempts, including this one. */
  readonly attempts: number;
  readonly now: Date;
  readonly expiresAt: Date;
  /** Whether `now` is believed (OP-13). If not, only the number of attempts ends a delivery. */
  readonly believed: boolean;
}

/** Returns when to try again; undefined once the day is over. `random` is in [0, 1). */
export function nextAttempt({ attempts, now, expiresAt, believed }: Attempt, random: number): Date | undefined {
  const isOver = now >= expiresAt;
  if (attempts >= MOST_ATTEMPTS || (isOver && believed)) return undefined;
  const delay = Math.min(FIRST_DELAY_MS * 3 ** (attempts - 1), LONGEST_DELAY_MS);
  const next = now.getTime() + delay * (1 - JITTER + 2 * JITTER * random);
  // The last attempt is at the very end, whatever the jitter is.
  return new Date(isOver ? next : Math.min(next, expiresAt.getTime()));
}

export const LONGEST_PAUSE_MS = 300 * SECOND;

/**
 * How long nothing is sent to an endpoint after so many failures in a row. Otherwise each of a thousand waiting
 * deliveries would spend a worker's time on the same time-out.
 */
export function pauseAfter(failures: number): number {
  return Math.min(SECOND * 2 ** Math.min(failures, 10), LONGEST_PAUSE_MS);
}
