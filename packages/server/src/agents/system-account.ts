import type { Platform } from '../platform.ts';

/**
 * Owns the agents that come with a server. It has no password and no passkey, and its address is none that anyone could
 * register or sign in with.
 */
export const SYSTEM_ACCOUNT = '00000000-0000-7000-8000-000000000001';
const ADDRESS = 'system';

export async function ensureSystemAccount({ db, now }: Pick<Platform, 'db' | 'now'>): Promise<string> {
  await db
    .insertInto('accounts')
    .values({
      id: SYSTEM_ACCOUNT,
      email: ADDRESS,
      display_name: 'Parley',
      password_hash: null,
      account_key: null,
      created_at: now(),
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
  return SYSTEM_ACCOUNT;
}
