import { type BucketSize, createTokenBuckets } from '@parley/base';
import { BUDGETS, type BudgetName, type ConcurrentBudget, type RateBudget, type StoredBudget } from '@parley/protocol';
import type { Logger } from 'pino';
import type { Bus } from '../events/bus.ts';
import { RequestError, rateLimited } from '../http/request-error.ts';
import type { Db } from '../storage/database.ts';
import { loadOverrides } from './overrides.ts';
import { createStoredBytes } from './stored-bytes.ts';
import { createTurns, type Waiter } from './turns.ts';

type Amounts = Readonly<Partial<Record<RateBudget, number>>>;

/**
 * What each account may use (OP-1); over it, it is refused (OP-2). `accountOf` says whose account it is. Only
 * `reserveBytes` ever asks the database, and seldom: they are called with every frame. Rates and turns are counted by each
 * node for itself.
 */
export interface Budgets {
  /** False for the platform's own account. */
  isLimited(accountId: string): boolean;
  /** What an account has if an operator did not change it, here. */
  defaultOf(name: BudgetName): number;
  /** Infinity for the platform's own account. */
  limitOf(accountId: string, name: BudgetName): number;
  /**
   * Takes all of it, or nothing: RATE_LIMITED says when to come back. An amount of 0 only asks whether there is
   * something left; what it cost is charged afterwards.
   */
  take(accountId: string, amounts: Amounts): void;
  /** Is all of it used up, by what was charged? */
  isOver(accountId: string, name: RateBudget): boolean;
  /** Takes it in any case: what it costs was known only afterwards. */
  charge(accountId: string, amounts: Amounts): void;
  /** QUOTA_EXCEEDED if that much more does not fit. */
  requireRoom(accountId: string, name: StoredBudget, room: { readonly used: number; readonly adding: number }): void;
  /**
   * Rejects with QUOTA_EXCEEDED if so many more bytes do not fit; otherwise they count at once. What is written and
   * deleted is counted by the database: this is called before something is written, and nothing after.
   */
  reserveBytes(accountId: string, bytes: number): Promise<void>;
  /** Something of the account was deleted to make room: the next reservation finds it. */
  rereadBytes(accountId: string): void;
  /** Runs the work in turn: only so much of an account's runs at a time. Who waits with much, or is gone, is refused. */
  concurrent<Result>(
    accountId: string,
    name: 'connections',
    work: () => Promise<Result>,
    waiter?: Waiter,
  ): Promise<Result>;
  /** Counts one socket more. Returns a function that gives it back. */
  holdSocket(accountId: string): () => void;
  /** What is used of it at this moment, on this node. */
  usedNow(accountId: string, name: RateBudget | ConcurrentBudget): number;
  /** Reads what operators changed. A change that was made on another node arrives by itself. */
  reload(): Promise<void>;
  close(): Promise<void>;
}

export interface BudgetsDeps {
  readonly db: Db;
  readonly bus: Bus;
  readonly log: Logger;
  /** Where they differ from the table's. */
  readonly defaults?: Readonly<Partial<Record<BudgetName, number>>> | undefined;
  /** The platform's own account. */
  readonly unlimited: string;
  /** A clock that is never set back (OP-13). */
  readonly elapsed: () => number;
}

/** The most buckets at a time; one that is forgotten is full. */
const MAX_BUCKETS = 100_000;

export async function createBudgets(deps: BudgetsDeps): Promise<Budgets> {
  const { db, bus, log, defaults = {}, unlimited, elapsed } = deps;
  const overrides = await loadOverrides(db, bus, log);
  const buckets = createTokenBuckets({ maxKeys: MAX_BUCKETS, now: elapsed });
  const turns = createTurns();
  const sockets = new Map<string, number>();

  const defaultOf = (name: BudgetName): number => defaults[name] ?? BUDGETS[name].default;
  const limitOf = (accountId: string, name: BudgetName): number => {
    if (accountId === unlimited) return Number.POSITIVE_INFINITY;
    return overrides.get(accountId, name) ?? defaultOf(name);
  };
  const sizeOf = (accountId: string, name: RateBudget): BucketSize => {
    const { seconds, burst } = BUDGETS[name];
    const limit = limitOf(accountId, name);
    return { capacity: limit * burst, perSecond: limit / seconds };
  };
  const entriesOf = (accountId: string, amounts: Amounts) =>
    (Object.entries(amounts) as [RateBudget, number][]).map(([name, amount]) => {
      return { name, key: `${accountId} ${name}`, amount, size: sizeOf(accountId, name) };
    });
  /** Returns the budget that is used up the longest; undefined if all of it was taken. */
  const takeAll = (accountId: string, amounts: Amounts): { name: RateBudget; wait: number } | undefined => {
    if (accountId === unlimited) return undefined;
    const entries = entriesOf(accountId, amounts);
    const waits = entries.map(({ name, key, size }) => ({ name, wait: buckets.take(key, 0, size) }));
    const longest = waits.sort((a, b) => b.wait - a.wait)[0]!;
    if (longest.wait > 0) return longest;
    for (const { key, amount, size } of entries) buckets.charge(key, amount, size);
    return undefined;
  };

  const requireRoom: Budgets['requireRoom'] = (accountId, name, { used, adding }) => {
    const limit = limitOf(accountId, name);
    if (used + adding <= limit) return;
    throw new RequestError('QUOTA_EXCEEDED', { budget: name, used, limit }, { limit: name });
  };
  const storedBytes = createStoredBytes({
    db,
    log,
    elapsed,
    limitOf: (accountId) => limitOf(accountId, 'bytes_stored'),
    requireRoom: (accountId, room) => requireRoom(accountId, 'bytes_stored', room),
  });

  return {
    isLimited: (accountId) => accountId !== unlimited,
    defaultOf,
    limitOf,
    requireRoom,
    reserveBytes: storedBytes.reserve,
    rereadBytes: storedBytes.forget,
    take: (accountId, amounts) => {
      const over = takeAll(accountId, amounts);
      if (over !== undefined) throw rateLimited(over.wait / 1_000, over.name);
    },
    isOver: (accountId, name) =>
      accountId !== unlimited && buckets.take(`${accountId} ${name}`, 0, sizeOf(accountId, name)) > 0,
    charge: (accountId, amounts) => {
      if (accountId === unlimited) return;
      for (const { key, amount, size } of entriesOf(accountId, amounts)) buckets.charge(key, amount, size);
    },
    concurrent: (accountId, name, work, waiter) => turns.run(accountId, limitOf(accountId, name), work, waiter),
    holdSocket: (accountId) => {
      sockets.set(accountId, (sockets.get(accountId) ?? 0) + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const left = sockets.get(accountId)! - 1;
        if (left === 0) sockets.delete(accountId);
        else sockets.set(accountId, left);
      };
    },
    usedNow: (accountId, name) => {
      if (accountId === unlimited) return 0;
      if (name === 'connections') return turns.running(accountId);
      if (name === 'sockets') return sockets.get(accountId) ?? 0;
      return Math.ceil(
        Math.min(limitOf(accountId, name), buckets.used(`${accountId} ${name}`, sizeOf(accountId, name))),
      );
    },
    reload: overrides.reload,
    close: async () => {
      await Promise.all([overrides.close(), storedBytes.close()]);
    },
  };
}
