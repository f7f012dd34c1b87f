import { sql } from 'kysely';
import { hashSecret } from '../auth/secret.ts';
import { RequestError } from '../http/request-error.ts';
import type { Db } from '../storage/database.ts';

const MAX_FAILURES = 5;
const LOCK_MS = 15 * 60_000;

/**
 * Counts a try before it is made and refuses it if there were too many; `clearFailures` resets the count after a
 * success. Counting afterwards would allow a thousand guesses at once. The name is locked whether or not it exists.
 */
export async function countTry(db: Db, name: string, now: Date): Promise<void> {
  const until = new Date(now.getTime() + LOCK_MS);
  const { rows } = await sql<{ failures: number; locked_until: Date | null }>`
    insert into login_failures as f (email_hash, failures, updated_at) values (${hashSecret(name)}, 1, ${now})
    on conflict (email_hash) do update set
      failures = case when coalesce(f.locked_until, f.updated_at + interval '15 minutes') <= ${now} then 1
        else f.failures + 1 end,
      locked_until = case when coalesce(f.locked_until, f.updated_at + interval '15 minutes') <= ${now} then null
        when f.failures + 1 >= ${MAX_FAILURES} then coalesce(f.locked_until, ${until})
        else null end,
      updated_at = ${now}
    returning failures, locked_until`.execute(db);
  const { failures, locked_until } = rows[0]!;
  // The fifth try locks the name, but is still made: if it is right, the lock is removed with the failures.
  if (failures <= MAX_FAILURES || locked_until === null) return;
  const seconds = Math.max(1, Math.ceil((locked_until.getTime() - now.getTime()) / 1_000));
  throw new RequestError(
    'ACCOUNT_LOCKED',
    { retry_after_seconds: seconds },
    { headers: { 'retry-after': String(seconds) } },
  );
}

export async function clearFailures(db: Db, name: string): Promise<void> {
  await db.deleteFrom('login_failures').where('email_hash', '=', hashSecret(name)).execute();
}

/** Takes back one try and no more: where someone can succeed at will, a success must not erase their failures. */
export async function forgiveTry(db: Db, name: string): Promise<void> {
  await db
    .updateTable('login_failures')
    .set((set) => ({ failures: set('failures', '-', 1), locked_until: null }))
    .where('email_hash', '=', hashSecret(name))
    .execute();
}
