import { createFairQueue } from '@parley/base';

/** News of one thing for many listeners. */
export interface News {
  readonly keys: readonly string[];
  /** `events`, or the conversation that has news. If absent, there may be news of any kind. */
  readonly about?: string | undefined;
  /** The conversation's last number: whoever has read that far need not read again. */
  readonly upTo?: number | undefined;
}

/** News that wait to be told to other nodes, in turns by account (OP-3). */
export interface WakeQueue {
  readonly size: number;
  /** How many wait for this account, counted in portions of keys. */
  count(account: string): number;
  /** Replaces the same news about the same thing: of numbers the last one says it all. */
  add(account: string, news: News): void;
  /** Takes as many as fit into so many bytes of `encodeNews`, at least some. */
  take(bytes: number): Waiting[];
}
interface Waiting {
  readonly account: string;
  readonly news: News;
}

/** So that a notification has room for the news of others. */
const KEYS_AT_ONCE = 32;
/** Two ids, a number, what separates them, and a letter for the kind of key. */
const MOST_BYTES = 38 + 1 + 36 + 1 + 16 + 1;
const NO_LIMIT = { count: Number.POSITIVE_INFINITY, cost: Number.POSITIVE_INFINITY };

export function createWakeQueue(): WakeQueue {
  const turn = KEYS_AT_ONCE * MOST_BYTES;
  const queue = createFairQueue<{ readonly name: string; readonly waiting: Slot }>({
    turn,
    max: NO_LIMIT,
    maxOfOne: NO_LIMIT,
  });
  const latest = new Map<string, Slot>();
  let size = 0;

  const addSome = (account: string, news: News): void => {
    const name = `${account}/${news.about ?? ''}/${news.keys[0]}`;
    const before = latest.get(name);
    if (before !== undefined && isSame(before.news.keys, news.keys)) {
      if ((news.upTo ?? 0) > (before.news.upTo ?? 0)) before.news = news;
      return;
    }
    const waiting = { account, news };
    latest.set(name, waiting);
    queue.add(account, { name, waiting }, news.keys.length * MOST_BYTES);
    size += news.keys.length;
  };
  return {
    get size() {
      return size;
    },
    count: queue.count,
    add: (account, news) => {
      const { keys } = news;
      for (let start = 0; start < keys.length; start += KEYS_AT_ONCE)
        addSome(account, { ...news, keys: keys.slice(start, start + KEYS_AT_ONCE) });
    },
    take: (bytes) =>
      queue.takeBatch({ count: Number.POSITIVE_INFINITY, cost: bytes }).map(({ name, waiting }) => {
        if (latest.get(name) === waiting) latest.delete(name);
        size -= waiting.news.keys.length;
        return waiting;
      }),
  };
}

interface Slot {
  readonly account: string;
  news: News;
}

const isSame = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((key, index) => key === others[index]);

export function encodeNews({ keys, about, upTo }: News): string {
  const rest = about === undefined ? '' : upTo === undefined ? `/${about}` : `/${about}/${upTo}`;
  return keys.map((key) => key + rest).join(' ');
}
