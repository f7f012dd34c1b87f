import { availableParallelism } from 'node:os';
import { createFairScheduler } from '@parley/base';
import { RequestError, rateLimited } from '../http/request-error.ts';

/** Runs expensive work a little at a time. */
export interface HashQueue {
  /** Work of someone unknown waits in turns by `network`; without it, the caller has proved who they are. */
  run<Result>(work: () => Promise<Result>, network: string | undefined): Promise<Result>;
}

/**
 * A core is left for everyone else, and a thread of Node's pool of four: names are looked up and files written there,
 * too.
 */
const CONCURRENCY = Math.max(1, Math.min(3, availableParallelism() - 1));
/** At 30 ms each, the last one waits six seconds; a client that waits longer has given up. */
const MAX_WAITING = 200;
const MAX_WAITING_OF_NETWORK = 20;
const RETRY_SECONDS = 5;

/**
 * Thousands of sign-ins at once, each from an address of its own, must not slow down those who are signed in (OP-3).
 * Strangers together have every other turn at most, so that someone known waits for one of them, not for all.
 */
export function createHashQueue({ concurrency = CONCURRENCY, maxWaiting = MAX_WAITING } = {}): HashQueue {
  const max = { count: maxWaiting, cost: Number.POSITIVE_INFINITY };
  const maxOfOne = { count: MAX_WAITING_OF_NETWORK, cost: Number.POSITIVE_INFINITY };
  const refuse = (reason: 'account_full' | 'full') =>
    reason === 'account_full'
      ? rateLimited(RETRY_SECONDS, 'password_hashes')
      : new RequestError(
          'UNAVAILABLE',
          {},
          { headers: { 'retry-after': String(RETRY_SECONDS) }, limit: 'password_hashes' },
        );
  const strangers = createFairScheduler({ concurrency, concurrencyOfOne: concurrency, max, maxOfOne, refuse });
  const all = createFairScheduler({ concurrency, concurrencyOfOne: concurrency, max, maxOfOne: max, refuse });
  return {
    run: (work, network) =>
      network === undefined ? all.run('known', work) : strangers.run(network, () => all.run('strangers', work)),
  };
}
