import { createLru } from '@parley/base';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Db } from '../storage/database.ts';

export interface StoredBytesDeps {
  readonly db: Db;
  readonly log: Logger;
  readonly elapsed: () => number;
  readonly limitOf: (accountId: string) => number;
  /** Throws if that much more does not fit. */
  readonly requireRoom: (accountId: string, room: { readonly used: number; readonly adding: number }) => void;
}

/**
 * How many bytes each account has stored, in memory: every message asks for it. Triggers count what is written and
 * deleted; here it is read again every few seconds for the accounts that store something.
 */
export interface StoredBytes {
  /**
   * Rejects with QUOTA_EXCEEDED if it does not fit. What is let through counts at once, here; other nodes know of it
   * after a moment. Those of one account go on in the order in which they came.
   */
  reserve(accountId: string, bytes: number): Promise<void>;
  /** Something large was deleted: the next one reads anew. */
  forget(accountId: string): void;
  close(): Promise<void>;
}

interface Entry {
  used: number;
  /** Undefined before it was read for the first time. */
  readAt: number | undefined;
  reading: Promise<void> | undefined;
}

const REFRESH_MS = 2_000;
/** A number that is older does not refuse anyone: something may have been deleted. */
const FRESH_MS = 1_000;
const MAX_ACCOUNTS = 50_000;

export function createStoredBytes({ db, log, elapsed, limitOf, requireRoom }: StoredBytesDeps): StoredBytes {
  const entries = createLru<string, Entry>(MAX_ACCOUNTS);
  let active = new Set<string>();
  let refreshing: Promise<void> | undefined;

  const note = (accountId: string, used: number): void => {
    const entry = entries.get(accountId) ?? { used, readAt: undefined, reading: undefined };
    entry.used = used;
    entry.readAt = elapsed();
    entries.set(accountId, entry);
  };
  const read = async (accountIds: readonly string[]): Promise<void> => {
    const usage = await readUsage(db, accountIds);
    for (const id of accountIds) note(id, (usage.get(id) ?? NOTHING_USED).bytes);
  };
  const refresh = async (): Promise<void> => {
    const accounts = [...active];
    active = new Set();
    await foldUsage(db);
    await read(accounts);
  };
  const timer = setInterval(() => {
    if (active.size === 0 || refreshing !== undefined) return;
    refreshing = refresh()
      .catch((error: unknown) => log.warn({ err: error }, 'budgets: what is stored could not be read, trying again'))
      .finally(() => {
        refreshing = undefined;
      });
  }, REFRESH_MS).unref();

  return {
    reserve: async (accountId, bytes) => {
      const limit = limitOf(accountId);
      if (limit === Number.POSITIVE_INFINITY) return;
      const entry = entries.get(accountId) ?? { used: 0, readAt: undefined, reading: undefined };
      entries.set(accountId, entry);
      const { readAt } = entry;
      const isFull = entry.used + bytes > limit;
      if (readAt === undefined || (isFull && elapsed() - readAt > FRESH_MS)) {
        entry.reading ??= read([accountId]).finally(() => {
          entry.reading = undefined;
        });
      }
      // Whoever comes during the read waits, too, so that nobody overtakes.
      if (entry.reading !== undefined) await entry.reading;
      requireRoom(accountId, { used: entry.used, adding: bytes });
      entry.used += bytes;
      active.add(accountId);
    },
    forget: (accountId) => {
      const entry = entries.get(accountId);
      if (entry !== undefined) entry.readAt = undefined;
    },
    close: async () => {
      clearInterval(timer);
      await refreshing;
    },
  };
}

export interface Usage {
  readonly bytes: number;
  readonly versions: number;
  readonly groupMembers: number;
}

export const NOTHING_USED: Usage = { bytes: 0, versions: 0, groupMembers: 0 };

/** Reads what is stored, with the changes that were not added up yet. */
export async function readUsage(db: Db, accountIds: readonly string[]): Promise<Map<string, Usage>> {
  const { rows } = await sql<Usage & { id: string }>`
    select account_id as id, sum(bytes)::bigint as bytes, sum(versions)::bigint as versions,
      sum(group_members)::bigint as "groupMembers" from (
        select account_id, bytes, versions, group_members from account_usage where account_id = any(${accountIds}::uuid[])
      union all
        select account_id, bytes, versions, group_members from usage_changes
        where account_id = any(${accountIds}::uuid[])) as counted
    group by account_id`.execute(db);
  return new Map(
    // What was there before anything was counted may go before it is.
    rows.map(({ id, bytes, versions, groupMembers }) => [
      id,
      { bytes: Math.max(0, bytes), versions: Math.max(0, versions), groupMembers: Math.max(0, groupMembers) },
    ]),
  );
}

export async function foldUsage(db: Db): Promise<void> {
  await sql`select fold_usage()`.execute(db);
}

/** Counts everything anew: what an edited database made wrong is right again. It takes long, so it needs a patient one. */
export async function recountUsage(db: Db): Promise<void> {
  await sql`select recount_usage()`.execute(db);
}
