import type { Person } from './person.ts';

/** For `arrive`: no time of an offer to undo is over, however slow the machine is. */
export const withEndlessOffers = {
  prepare: async (context: Person['context']) => {
    await context.addInitScript(() => {
      const { setTimeout: start } = globalThis;
      const isOffer = (ms: unknown) => ms === 5_000;
      globalThis.setTimeout = ((run: () => void, ms?: number, ...args: []) =>
        isOffer(ms) ? 0 : start(run, ms, ...args)) as typeof setTimeout;
    });
  },
};
