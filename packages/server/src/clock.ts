/** The two clocks of a node. */
export interface Clock {
  /** The time of day. It may be wrong, and it jumps when someone sets it. */
  now(): Date;
  /** Milliseconds that have passed, from a monotonic clock: rates, limits and time-outs count with it (OP-13). */
  elapsed(): number;
}

export const systemClock: Clock = { now: () => new Date(), elapsed: () => performance.now() };
