import { sql } from 'kysely';
import { hashSecret } from '../auth/secret.ts';
import { RequestError } from '../http/request-error.ts';
import type { Db, Trx } from '../storage/database.ts';

interface Limit {
  /** So many wrong tries cost no wait. */
  readonly free: number;
  /** Waits double from this, or from one second, … */
  readonly firstWaitMs?: number;
  /** … up to this. */
  readonly maxWaitMs: number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * How wrong guesses are slowed down (AC-1). Nothing is ever locked. What a day allows: 5 + 10 + 96 guesses from one
 * network at one account, 50 + 6 + 1,440 from one network at all accounts, and 20 + 9 + 288 from all networks together at
 * one account, with 1,000 on top that were the first of a site.
 */
export const LIMITS = {
  /** One account from one network. */
  pair: { free: 5, maxWaitMs: 15 * MINUTE_MS },
  /** One account from all networks, except by devices it knows. */
  account: { free: 20, maxWaitMs: 5 * MINUTE_MS },
  /**
   * Counted instead, where that must be waited for: one guess a day from a site at an account, and those of all sites. Three
   * networks take every turn of the account; to keep its owner out takes a thousand sites a day.
   */
  site: { free: 1, firstWaitMs: DAY_MS, maxWaitMs: DAY_MS },
  sites: { free: 1_000, firstWaitMs: DAY_MS, maxWaitMs: DAY_MS },
  /** All accounts from one network: so many share one behind a NAT that the wait stays short. */
  network: { free: 50, maxWaitMs: MINUTE_MS },
  /** One account from a device that it knows, also where it is asked for again. */
  device: { free: 10, maxWaitMs: 15 * MINUTE_MS },
  /** The own password, asked for again: in one session, and in all of the account except on devices that it knows. */
  session: { free: 5, maxWaitMs: 15 * MINUTE_MS },
  sessions: { free: 20, maxWaitMs: 5 * MINUTE_MS },
  /** Codes that one person reads off the screen of another device. */
  userCode: { free: 5, maxWaitMs: 15 * MINUTE_MS },
  /** Addresses that are taken already, tried with one invitation. */
  invitation: { free: 20, maxWaitMs: 15 * MINUTE_MS },
  /** The code from an e-mail, from one network. */
  emailCode: { free: 5, maxWaitMs: 10 * MINUTE_MS },
  /** Letters with such a code to one address: in a row, that one network asked for, and all (AC-9). */
  letter: { free: 1, firstWaitMs: MINUTE_MS, maxWaitMs: MINUTE_MS },
  letterFrom: { free: 3, firstWaitMs: 60 * MINUTE_MS, maxWaitMs: 60 * MINUTE_MS },
  letters: { free: 10, firstWaitMs: 60 * MINUTE_MS, maxWaitMs: 60 * MINUTE_MS },
} as const satisfies Readonly<Record<string, Limit>>;

export interface Count {
  readonly limit: keyof typeof LIMITS;
  /** Who or what is counted under this limit. */
  readonly of: string;
}

/** A count that nobody adds to is forgotten. */
const FORGET_MS = DAY_MS;

interface State {
  readonly failures: number;
  readonly locked_until: Date | null;
  readonly updated_at: Date;
}

/** The next state of a count, or how long to wait before it may be added to. */
export function decideTry(
  { failures, locked_until, updated_at }: State,
  { free, firstWaitMs = 1_000, maxWaitMs }: Limit,
  now: Date,
): { readonly waitMs: number } | { readonly failures: number; readonly until: Date | null } {
  const isForgotten = now.getTime() - updated_at.getTime() >= FORGET_MS;
  const waitMs = (locked_until?.getTime() ?? 0) - now.getTime();
  // No wait is that long: the clock was set back since (OP-13), and the next try begins a new one.
  const isImpossible = waitMs > maxWaitMs;
  if (waitMs > 0 && !isImpossible && !isForgotten) return { waitMs };
  const next = isForgotten ? 1 : failures + 1;
  const wait = next < free ? 0 : Math.min(firstWaitMs * 2 ** (next - free), maxWaitMs);
  return { failures: next, until: wait === 0 ? null : new Date(now.getTime() + wait) };
}

export const nameOf = ({ limit, of }: Count) => hashSecret(`${limit}\n${of}`);

/**
 * Counts a try before it is made, and refuses it if an earlier one has to be waited for: counting afterwards would allow a
 * thousand guesses at once. What is refused is not counted. Names that do not exist are counted alike.
 */
export async function countTry(db: Db, counts: readonly Count[], now: Date): Promise<void> {
  refuse(await addTry(db, counts, now));
}

/** Counts a try by the first of two lists, or by the second if the first must be waited for. Returns the one it was. */
export async function countEither(
  db: Db,
  [counts, others]: readonly [readonly Count[], readonly Count[]],
  now: Date,
): Promise<readonly Count[]> {
  const waitMs = await addTry(db, counts, now);
  if (waitMs === 0) return counts;
  if ((await addTry(db, others, now)) > 0) refuse(waitMs);
  return others;
}

/** Returns how long to wait; 0 if it was counted. */
export async function addTry(db: Db, counts: readonly Count[], now: Date): Promise<number> {
  const limits = new Map(counts.map((count) => [nameOf(count), LIMITS[count.limit]] as const));
  // One order for all, so that two tries never wait for each other.
  const names = [...limits.keys()].sort();
  // Most of a flood ends here, without a lock.
  const waitMs = longestWait(await readStates(db, names), limits, now);
  if (waitMs > 0) return waitMs;
  return db.transaction().execute(async (trx) => {
    await trx
      .insertInto('login_failures')
      .values(names.map((email_hash) => ({ email_hash, failures: 0, locked_until: null, updated_at: now })))
      .onConflict((conflict) => conflict.column('email_hash').doNothing())
      .execute();
    const rows = await readStates(trx, names, 'locked');
    const waitMs = longestWait(rows, limits, now);
    if (waitMs > 0) return waitMs;
    for (const row of rows) {
      const next = decideTry(row, limits.get(row.email_hash)!, now);
      if (!('failures' in next)) continue;
      const set = { failures: next.failures, locked_until: next.until, updated_at: now };
      await trx.updateTable('login_failures').set(set).where('email_hash', '=', row.email_hash).execute();
    }
    return 0;
  });
}

function readStates(db: Db | Trx, names: readonly string[], lock?: 'locked') {
  const query = db.selectFrom('login_failures').selectAll().where('email_hash', 'in', names).orderBy('email_hash');
  return (lock ? query.forUpdate() : query).execute();
}

function longestWait(
  rows: readonly (State & { readonly email_hash: string })[],
  limits: ReadonlyMap<string, Limit>,
  now: Date,
): number {
  const waits = rows.map((row) => {
    const decision = decideTry(row, limits.get(row.email_hash)!, now);
    return 'waitMs' in decision ? decision.waitMs : 0;
  });
  return Math.max(0, ...waits);
}

function refuse(waitMs: number): void {
  if (waitMs === 0) return;
  const seconds = Math.ceil(waitMs / 1_000);
  const headers = { 'retry-after': String(seconds) };
  throw new RequestError('TOO_MANY_ATTEMPTS', { retry_after_seconds: seconds }, { headers, limit: 'sign_in' });
}

/** After a success that only its owner can have. */
export async function clearTries(db: Db | Trx, counts: readonly Count[]): Promise<void> {
  await db.deleteFrom('login_failures').where('email_hash', 'in', counts.map(nameOf)).execute();
}

/** Takes back one try and no more: where someone else guesses too, or can succeed at will, a success erases no failures. */
export async function forgiveTry(db: Db | Trx, counts: readonly Count[]): Promise<void> {
  await db
    .updateTable('login_failures')
    .set({ failures: sql`greatest(failures - 1, 0)`, locked_until: null })
    .where('email_hash', 'in', counts.map(nameOf))
    .execute();
}
