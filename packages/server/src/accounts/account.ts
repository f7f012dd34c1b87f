import { sql } from 'kysely';
import { SYSTEM_ACCOUNT } from '../agents/system-account.ts';
import { type LoginSession, startSession } from '../auth/session.ts';
import { createAccountConversation } from '../conversations/create.ts';
import { RequestError } from '../http/request-error.ts';
import { createId } from '../id.ts';
import { ADVISORY_LOCKS } from '../storage/advisory-locks.ts';
import type { Trx } from '../storage/database.ts';
import type { AccountDeps } from './deps.ts';
import { normaliseEmail } from './email.ts';
import { useEmailCode } from './email-code.ts';
import { clearFailures, countTry } from './lockout.ts';

const UNIQUE_VIOLATION = '23505';

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly displayName: string;
  readonly code: string | undefined;
  readonly client: string | undefined;
}

export async function registerAccount(deps: AccountDeps, input: NewAccount): Promise<LoginSession> {
  const email = normaliseEmail(input.email);
  if (input.code !== undefined && deps.mailer !== undefined) await useEmailCode(deps, email, input.code);
  else if (deps.config.smtpUrl !== undefined) throw new RequestError('CODE_INVALID');
  const passwordHash = await deps.passwords.hash(input.password);
  const now = deps.now();
  const id = createId(now);
  try {
    return await deps.db.transaction().execute(async (trx) => {
      const first = await isFirst(trx);
      await trx
        .insertInto('accounts')
        .values({
          id,
          email,
          display_name: input.displayName,
          password_hash: passwordHash,
          role: first ? 'admin' : 'user',
          account_key: null,
          created_at: now,
        })
        .execute();
      await createAccountConversation(trx, id, now);
      return startSession(deps, trx, { accountId: id, client: input.client });
    });
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) throw new RequestError('EMAIL_TAKEN');
    throw error;
  }
}

async function isFirst(trx: Trx): Promise<boolean> {
  const look = async () => {
    const others = trx.selectFrom('accounts').select('id').where('id', '<>', SYSTEM_ACCOUNT).limit(1);
    return (await others.execute()).length === 0;
  };
  if (!(await look())) return false;
  // Registrations that find no account wait for each other: only the first one becomes an operator.
  await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.firstAccount})`.execute(trx);
  return look();
}

/** An unknown, banned or deleted account and a wrong password get the same answer after the same work. */
export async function loginByPassword(
  deps: AccountDeps,
  input: { readonly email: string; readonly password: string; readonly client: string | undefined },
): Promise<LoginSession> {
  const email = normaliseEmail(input.email);
  await countTry(deps.db, email, deps.now());
  const account = await deps.db
    .selectFrom('accounts')
    .select(['id', 'password_hash'])
    .where(sql`lower(email)`, '=', email)
    .where('status', '=', 'active')
    .executeTakeFirst();
  if (!(await deps.passwords.check(account?.password_hash, input.password)) || account === undefined) {
    throw new RequestError('LOGIN_FAILED');
  }
  await clearFailures(deps.db, email);
  return startSession(deps, deps.db, { accountId: account.id, client: input.client });
}
