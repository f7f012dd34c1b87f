import { sql } from 'kysely';
import { type KnownDevice, readKnownDevice } from '../auth/known-device.ts';
import { type DeviceTraits, type LoginSession, startSession } from '../auth/session.ts';
import { createAccountConversation } from '../conversations/create.ts';
import { siteOf } from '../http/network-of.ts';
import { RequestError } from '../http/request-error.ts';
import { createId } from '../id.ts';
import type { AccountDeps } from './deps.ts';
import { normaliseEmail } from './email.ts';
import { useEmailCode } from './email-code.ts';
import { removeOperatorLink } from './operator-link.ts';
import { admit, refuseStranger } from './registration.ts';
import { type Count, clearTries, countEither, countTry, forgiveTry } from './throttle.ts';

const UNIQUE_VIOLATION = '23505';

export interface NewAccount {
  readonly email: string;
  readonly password: string;
  readonly displayName: string;
  readonly code: string | undefined;
  readonly invitation: string | undefined;
  readonly device: DeviceTraits;
}

export async function registerAccount(deps: AccountDeps, input: NewAccount): Promise<LoginSession> {
  const email = normaliseEmail(input.email);
  const { code, invitation, device } = input;
  // First of all, and for everyone: which address needs no invitation is shown to nobody who does not read its mail.
  if (code !== undefined && deps.mailer !== undefined)
    await useEmailCode(deps, { email, code, network: device.network });
  else if (deps.config.smtpUrl !== undefined) throw new RequestError('CODE_INVALID');
  // In development codes are in the log, where they prove nothing.
  const isVerified = deps.config.smtpUrl !== undefined;
  refuseStranger(deps, { email, invitation, isVerified });
  // Without mail, whoever has an invitation could ask with it for one address after the other whether it is taken.
  const tries: readonly Count[] =
    invitation === undefined || isVerified ? [] : [{ limit: 'invitation', of: invitation.trim() }];
  if (tries.length > 0) await countTry(deps.db, tries, deps.now());
  const passwordHash = await deps.passwords.hash(input.password, device.network);
  const now = deps.now();
  const id = createId(now);
  try {
    const { role, session } = await deps.db.transaction().execute(async (trx) => {
      const role = await admit(trx, deps, { email, invitation, isVerified });
      await trx
        .insertInto('accounts')
        .values({
          id,
          email,
          display_name: input.displayName,
          password_hash: passwordHash,
          role,
          account_key: null,
          created_at: now,
        })
        .execute();
      await createAccountConversation(trx, id, now);
      return {
        role,
        session: await startSession(deps, trx, { accountId: id, client: device.client, verified: true }),
      };
    });
    if (role === 'admin') removeOperatorLink(deps);
    if (tries.length > 0) await forgiveTry(deps.db, tries);
    return session;
  } catch (error) {
    if ((error as { code?: string }).code === UNIQUE_VIOLATION) throw new RequestError('EMAIL_TAKEN');
    throw error;
  }
}

interface Login {
  readonly email: string;
  readonly password: string;
  readonly device: DeviceTraits;
}

/** An unknown, banned or deleted account and a wrong password get the same answer after the same work. */
export async function loginByPassword(deps: AccountDeps, { password, device, ...input }: Login): Promise<LoginSession> {
  const email = normaliseEmail(input.email);
  const read = readKnownDevice(deps.config, device.knownDevice, deps.now());
  const account = await inTurn(deps, read, () =>
    deps.db
      .selectFrom('accounts')
      .select(['id', 'password_hash', 'known_device_epoch'])
      .where(sql`lower(email)`, '=', email)
      .where('status', '=', 'active')
      .executeTakeFirst(),
  );
  const isKnown = read !== undefined && read.accountId === account?.id && read.epoch === account.known_device_epoch;
  const known = isKnown ? read : undefined;
  const counts = await inTurn(deps, known, () => countSignIn(deps, { email, network: device.network, known }));
  // Someone known does not wait behind what others guess.
  const network = known === undefined ? device.network : undefined;
  if (!(await deps.passwords.check(account?.password_hash, password, network)) || account === undefined) {
    throw new RequestError('LOGIN_FAILED');
  }
  return inTurn(deps, known, async () => {
    await clearTries(deps.db, counts.filter(isOwn));
    const shared = counts.filter((count) => !isOwn(count));
    if (shared.length > 0) await forgiveTry(deps.db, shared);
    const { id: accountId, password_hash: passwordHash } = account;
    const session = { accountId, passwordHash, client: device.client, verified: true, known };
    return deps.db.transaction().execute((trx) => startSession(deps, trx, session));
  });
}

interface Guess {
  readonly email: string;
  readonly network: string;
  readonly known: KnownDevice | undefined;
}

async function countSignIn({ db, now }: AccountDeps, { email, network, known }: Guess): Promise<readonly Count[]> {
  // A device that was signed in before is not held up by what others guess.
  if (known !== undefined) {
    const counts: readonly Count[] = [{ limit: 'device', of: known.nonce }];
    await countTry(db, counts, now());
    return counts;
  }
  const here: readonly Count[] = [
    { limit: 'pair', of: `${email} ${network}` },
    { limit: 'network', of: network },
  ];
  const first: readonly Count[] = [
    { limit: 'site', of: `${email} ${siteOf(network)}` },
    { limit: 'sites', of: email },
  ];
  return countEither(
    db,
    [
      [...here, { limit: 'account', of: email }],
      [...here, ...first],
    ],
    now(),
  );
}

const OWN: ReadonlySet<Count['limit']> = new Set(['device', 'pair', 'site']);
/** What only those count by who have the password; nothing of it is left once they are in. */
const isOwn = ({ limit }: Count) => OWN.has(limit);

/**
 * Those who sign in share the connections of one account (OP-3): hundreds of sign-ins to one address would wait for the
 * row of its counts with every connection of the pool in their hands. Who shows a proof that we signed does not wait
 * behind them, whether or not it still counts: everyone with one for the same account does it together.
 */
function inTurn<Result>(
  { budgets }: AccountDeps,
  proof: KnownDevice | undefined,
  work: () => Promise<Result>,
): Promise<Result> {
  return budgets.concurrent(proof === undefined ? 'strangers' : `known ${proof.accountId}`, 'connections', work);
}
