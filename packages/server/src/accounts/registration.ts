import { sql } from 'kysely';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { ADVISORY_LOCKS } from '../storage/advisory-locks.ts';
import type { Db, Trx } from '../storage/database.ts';
import { findInvitation, useInvitation } from './invitations.ts';

interface Applicant {
  readonly email: string;
  readonly invitation: string | undefined;
  /** Whether a code that was sent to the address came back. */
  readonly isVerified: boolean;
}

/**
 * Decides who may register, and as what (AC-8). While there is no operator, one is named by the link of the first start, or
 * by PARLEY_OPERATOR_EMAIL if the address was verified: without e-mail anyone could register that address, so the link is
 * needed then, and works for that address only.
 */
export async function admit(trx: Trx, platform: Platform, applicant: Applicant): Promise<'user' | 'admin'> {
  const { operatorEmail } = platform.config;
  const { email, invitation, isVerified } = applicant;
  if (invitation !== undefined) {
    const role = await useInvitation(trx, invitation, platform.now());
    if (role === 'admin') {
      const isTheirs = operatorEmail === undefined || operatorEmail === email;
      if (!isTheirs || (await hasOperator(trx, 'locked'))) throw new RequestError('INVITATION_INVALID');
      return role;
    }
    if (registrationOf(platform) === 'closed') throw new RequestError('REGISTRATION_CLOSED');
    if (role === undefined) throw new RequestError('INVITATION_INVALID');
    return role;
  }
  if (isVerified && operatorEmail === email && !(await hasOperator(trx, 'locked'))) return 'admin';
  refuseUninvited(platform);
  return 'user';
}

/** Refuses early, before anything expensive is done for someone who may not register. */
export function refuseStranger(platform: Platform, { email, invitation, isVerified }: Applicant): void {
  const isOperator = isVerified && email === platform.config.operatorEmail;
  if (invitation === undefined && !isOperator) refuseUninvited(platform);
}

function refuseUninvited(platform: Platform): void {
  const registration = registrationOf(platform);
  if (registration === 'closed') throw new RequestError('REGISTRATION_CLOSED');
  if (registration === 'invitation') throw new RequestError('INVITATION_INVALID');
}

export const registrationOf = ({ config }: Platform) => config.registration ?? 'open';

export async function checkInvitation(platform: Platform, code: string) {
  const role = await findInvitation(platform.db, code, platform.now());
  if (role === 'admin' && (await hasOperator(platform.db))) return undefined;
  return role === 'user' && registrationOf(platform) === 'closed' ? undefined : role;
}

/** With a lock, of two that become the first operator at once one waits for the other, and is refused. */
export async function hasOperator(db: Db | Trx, lock?: 'locked'): Promise<boolean> {
  if (lock) await sql`select pg_advisory_xact_lock(${ADVISORY_LOCKS.firstAccount})`.execute(db);
  const found = await db
    .selectFrom('accounts')
    .select('id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}
