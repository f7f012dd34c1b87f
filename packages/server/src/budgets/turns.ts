import { rateLimited } from '../http/request-error.ts';

/** Runs so much of one account's work at a time; the rest waits for its turn, in order. */
export interface Turns {
  run<Result>(accountId: string, limit: number, work: () => Promise<Result>): Promise<Result>;
  running(accountId: string): number;
}

interface Account {
  running: number;
  readonly waiting: (() => void)[];
}

/** Beyond this many that wait, an account's next is refused: memory is limited. */
const MAX_WAITING = 1_000;

export function createTurns(): Turns {
  const accounts = new Map<string, Account>();
  return {
    running: (accountId) => accounts.get(accountId)?.running ?? 0,
    run: async (accountId, limit, work) => {
      const account = accounts.get(accountId) ?? { running: 0, waiting: [] };
      accounts.set(accountId, account);
      if (account.running >= limit) {
        if (account.waiting.length >= MAX_WAITING) throw rateLimited(1, 'connections');
        // Whoever ends hands its turn over, so nobody who comes later is faster.
        await new Promise<void>((resolve) => account.waiting.push(resolve));
      } else account.running++;
      try {
        return await work();
      } finally {
        const next = account.waiting.shift();
        if (next !== undefined) next();
        else if (--account.running === 0) accounts.delete(accountId);
      }
    },
  };
}
