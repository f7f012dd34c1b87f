import { createLru } from '@parley/base';
import type { Logger } from 'pino';

interface Refused {
  readonly limit: string;
  readonly account: string;
  /** The address that it came from, where it came from one. */
  readonly client?: string;
}

/**
 * Says in the log whom a limit refused where no request is logged: frames and deliveries (OP-14). An account has at most
 * one line a minute for each limit, with how often since the last, so that a flood does not flood the log.
 */
export type RefusalLog = (refused: Refused) => void;

const EVERY_MS = 60_000;
const MAX_ENTRIES = 10_000;

interface Entry {
  readonly since: number;
  more: number;
}

export function createRefusalLog(log: Pick<Logger, 'info'>, elapsed: () => number): RefusalLog {
  const entries = createLru<string, Entry>(MAX_ENTRIES);
  return (refused) => {
    const name = `${refused.account} ${refused.limit}`;
    const entry = entries.get(name);
    if (entry !== undefined && elapsed() - entry.since < EVERY_MS) {
      entry.more++;
      return;
    }
    log.info({ ...refused, times: 1 + (entry?.more ?? 0) }, 'refused');
    entries.set(name, { since: elapsed(), more: 0 });
  };
}
