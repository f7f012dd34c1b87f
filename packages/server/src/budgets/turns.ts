import { rateLimited } from '../http/request-error.ts';

/** Runs so much of one account's work at a time; the rest waits for its turn, in order. */
export interface Turns {
  run<Result>(accountId: string, atATime: number, work: () => Promise<Result>, waiter?: Waiter): Promise<Result>;
  running(accountId: string): number;
}

/** Whoever waits for a turn. */
export interface Waiter {
  /** What is kept in memory meanwhile. */
  readonly bytes: number;
  /** Calls the listener when nobody waits for the result any more, at once if that is so already. Returns a function that stops it. */
  onGone(listener: () => void): () => void;
}

interface Waiting {
  readonly bytes: number;
  readonly begin: () => void;
}
interface Account {
  running: number;
  readonly waiting: Set<Waiting>;
  bytes: number;
}

/** Beyond this many that wait, or as many bytes, an account's next is refused: memory is limited. */
const MAX_WAITING = { count: 1_000, bytes: 8 * 1024 * 1024 };
const NOBODY: Waiter = { bytes: 0, onGone: () => () => {} };

/** `limit` is the name under which it refuses. */
export function createTurns(limit = 'connections'): Turns {
  const accounts = new Map<string, Account>();

  /** Whoever ends hands its turn over, so nobody who comes later is faster. */
  const wait = (account: Account, { bytes, onGone }: Waiter): Promise<void> => {
    const isFull = account.waiting.size >= MAX_WAITING.count || account.bytes >= MAX_WAITING.bytes;
    if (isFull) throw rateLimited(1, limit);
    return new Promise((resolve, reject) => {
      let stop = () => {};
      const leave = () => {
        if (!account.waiting.delete(waiting)) return false;
        account.bytes -= bytes;
        stop();
        return true;
      };
      const waiting: Waiting = { bytes, begin: () => leave() && resolve() };
      account.waiting.add(waiting);
      account.bytes += bytes;
      const stopListening = onGone(() => leave() && reject(rateLimited(1, limit)));
      if (account.waiting.has(waiting)) stop = stopListening;
      else stopListening();
    });
  };

  return {
    running: (accountId) => accounts.get(accountId)?.running ?? 0,
    run: async (accountId, atATime, work, waiter = NOBODY) => {
      const account = accounts.get(accountId) ?? { running: 0, waiting: new Set(), bytes: 0 };
      accounts.set(accountId, account);
      if (account.running >= atATime) await wait(account, waiter);
      else account.running++;
      try {
        return await work();
      } finally {
        const [next] = account.waiting;
        if (next !== undefined) next.begin();
        else if (--account.running === 0) accounts.delete(accountId);
      }
    },
  };
}
