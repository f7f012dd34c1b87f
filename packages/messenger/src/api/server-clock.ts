import { createObservable, type Readable } from '@parley/base';

type ClockState =
  | { readonly state: 'unheard' }
  | { readonly state: 'agrees' }
  /** Positive if the device's clock is ahead. */
  | { readonly state: 'differs'; readonly byMs: number };

/**
 * Knows whether the clock of this device can be trusted to remove what is old (EE-25). A clock that jumped would remove
 * what is new; a server that lies about the time can only keep things from being removed.
 */
export interface ServerClock extends Readable<ClockState> {
  /** Notes the time that a reply of the server gives. */
  hear(time: Date): void;
  /**
   * By this time something may be called old and removed. Undefined unless the device's time is within a day of the
   * server's as it was heard last: then the earlier of the two, so that both call it old.
   */
  pruningTime(): Date | undefined;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

export function createServerClock(now: () => Date): ServerClock {
  const state = createObservable<ClockState>({ state: 'unheard' });
  let heard: number | undefined;

  /** Not told again for each second by which they drift. */
  const isKnown = (byMs: number) => {
    const known = state.getSnapshot();
    return known.state === 'differs' && Math.abs(known.byMs - byMs) < DAY_MS;
  };

  return {
    getSnapshot: state.getSnapshot,
    subscribe: state.subscribe,
    hear: (time) => {
      if (Number.isNaN(time.getTime())) return;
      heard = time.getTime();
      const byMs = now().getTime() - heard;
      if (Math.abs(byMs) > DAY_MS) {
        if (!isKnown(byMs)) state.set({ state: 'differs', byMs });
      } else if (state.getSnapshot().state !== 'agrees') state.set({ state: 'agrees' });
    },
    pruningTime: () => {
      const time = now().getTime();
      // The device's clock may have jumped since the server was heard.
      if (heard === undefined || Math.abs(time - heard) > DAY_MS) return undefined;
      return new Date(Math.min(time, heard));
    },
  };
}
