import { hashSecret, makeSecret } from '../auth/secret.ts';
import { createId } from '../id.ts';
import type { Db, Trx } from '../storage/database.ts';

const DAY_MS = 24 * 60 * 60_000;
const SHOWN = 200;

export interface NewInvitation {
  readonly createdBy: string;
  readonly uses: number;
  readonly days: number;
  readonly note: string;
}

/** Stores an invitation. Its code is returned once; only a hash of it is kept. */
export async function addInvitation(db: Db | Trx, { createdBy, uses, days, note }: NewInvitation, now: Date) {
  const code = makeSecret();
  const invitation = await db
    .insertInto('invitations')
    .values({
      id: createId(now),
      code_hash: hashSecret(code),
      note,
      created_by: createdBy,
      uses,
      created_at: now,
      expires_at: new Date(now.getTime() + days * DAY_MS),
      revoked_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { code, invitation };
}

/** Takes one use of an invitation. It is given back if the registration fails, as both are in one transaction. */
export async function useInvitation(trx: Trx, code: string, now: Date): Promise<'user' | 'admin' | undefined> {
  const row = await trx
    .updateTable('invitations')
    .set((set) => ({ used: set('used', '+', 1) }))
    .where('code_hash', '=', hashSecret(code.trim()))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .whereRef('used', '<', 'uses')
    .returning('role')
    .executeTakeFirst();
  return row?.role;
}

export async function findInvitation(db: Db, code: string, now: Date): Promise<'user' | 'admin' | undefined> {
  const row = await db
    .selectFrom('invitations')
    .select('role')
    .where('code_hash', '=', hashSecret(code.trim()))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .whereRef('used', '<', 'uses')
    .executeTakeFirst();
  return row?.role;
}

export function listInvitationRows(db: Db) {
  return db
    .selectFrom('invitations')
    .selectAll()
    .where('role', '=', 'user')
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute();
}

export async function revokeInvitationRow(trx: Trx, id: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('invitations')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('role', '=', 'user')
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
