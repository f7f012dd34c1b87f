import { createLru } from '@parley/base';
import type { Logger } from 'pino';

export interface Refused {
  readonly limit: string;
  /** Whose it was, where they have said who they are. */
  readonly account?: string;
  /** The address that it came from, where it came from one. */
  readonly client?: string;
}

/**
 * Says in the log whom a limit refused (OP-14). An account, or a network of strangers, has at most one line a minute for each
 * limit, with how often since the last; and of strangers, who may have any number of networks, a limit has at most a
 * hundred lines a minute. So a flood does not flood the log, which would lose what was in it before.
 */
export type RefusalLog = (refused: Refused, details?: object) => void;

const EVERY_MS = 60_000;
const MAX_ENTRIES = 10_000;
const MAX_STRANGERS = 100;

interface Entry {
  readonly since: number;
  more: number;
}
interface Crowd extends Entry {
  lines: number;
}

interface RefusalLogDeps {
  readonly elapsed: () => number;
  /** The network that an address is counted by. */
  readonly networkOf: (address: string) => string;
}

export function createRefusalLog(log: Pick<Logger, 'info'>, { elapsed, networkOf }: RefusalLogDeps): RefusalLog {
  const entries = createLru<string, Entry>(MAX_ENTRIES);
  /** Strangers by limit; limits are few. */
  const crowds = new Map<string, Crowd>();
  const isRecent = ({ since }: Entry) => elapsed() - since < EVERY_MS;

  /** Returns how often strangers of the minute before had no line, if at all; undefined if there is no room for one. */
  const enterCrowd = (limit: string): { readonly others?: number } | undefined => {
    const crowd = crowds.get(limit);
    if (crowd === undefined || !isRecent(crowd)) {
      crowds.set(limit, { since: elapsed(), lines: 1, more: 0 });
      return crowd === undefined || crowd.more === 0 ? {} : { others: crowd.more };
    }
    if (crowd.lines < MAX_STRANGERS) {
      crowd.lines++;
      return {};
    }
    crowd.more++;
    return undefined;
  };
  return (refused, details = {}) => {
    const { limit, account, client = '' } = refused;
    const name = account === undefined ? `network ${networkOf(client)} ${limit}` : `account ${account} ${limit}`;
    const entry = entries.get(name);
    if (entry !== undefined && isRecent(entry)) {
      entry.more++;
      return;
    }
    const others = account === undefined ? enterCrowd(limit) : {};
    if (others === undefined) return;
    log.info({ ...refused, ...details, times: 1 + (entry?.more ?? 0), ...others }, 'refused');
    entries.set(name, { since: elapsed(), more: 0 });
  };
}
