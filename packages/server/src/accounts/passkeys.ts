import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { readKnownDevice } from '../auth/known-device.ts';
import { requireLiveSession } from '../auth/live-session.ts';
import { type DeviceTraits, type LoginSession, startSession, wakeSessions } from '../auth/session.ts';
import type { Human } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { addNotice } from './notices.ts';
import {
  addChallenge,
  CHALLENGE_MS,
  findPasskey,
  listPasskeyRows,
  lockPasskeys,
  moveCounter,
  removePasskeys,
  takeChallenge,
} from './passkey-store.ts';

const MAX_PASSKEYS = 20;
const CREDENTIAL_ID = /^[A-Za-z0-9_-]{1,1400}$/;

/** A passkey is bound to the host name under which people reach the server. */
function site({ config }: Platform) {
  const { hostname, origin } = new URL(config.publicUrl);
  return { rpID: hostname, expectedOrigin: origin, expectedRPID: hostname };
}

export async function beginRegistration(platform: Platform, accountId: string) {
  const { db } = platform;
  const account = await db
    .selectFrom('accounts')
    .select(['email', 'display_name'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  const options = await generateRegistrationOptions({
    rpName: 'Parley',
    rpID: site(platform).rpID,
    userName: account.email,
    userDisplayName: account.display_name,
    userID: Uint8Array.from(Buffer.from(accountId)),
    timeout: CHALLENGE_MS,
    attestationType: 'none',
    excludeCredentials: (await listPasskeyRows(db, accountId)).map(({ credential_id }) => ({ id: credential_id })),
    // A passkey replaces name and password: it must be found without a name, and require a PIN or a fingerprint.
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const { challenge } = options;
  return { id: await addChallenge(db, { purpose: 'register', challenge, accountId }, platform.now()), options };
}

export interface Answer {
  readonly challengeId: string;
  readonly credential: Readonly<Record<string, unknown>>;
}

export async function finishRegistration(platform: Platform, caller: Human, answer: Answer & { name: string }) {
  const { db } = platform;
  const { accountId } = caller;
  const now = platform.now();
  const challenge = await takeChallenge(db, { id: answer.challengeId, purpose: 'register', accountId }, now);
  if (challenge === undefined) throw new RequestError('PASSKEY_REFUSED');
  const { expectedOrigin, expectedRPID } = site(platform);
  const { registrationInfo } = await verifyRegistrationResponse({
    response: answer.credential as unknown as RegistrationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
  }).catch(refuse);
  if (registrationInfo === undefined) throw new RequestError('PASSKEY_REFUSED');
  const { credential } = registrationInfo;
  return db.transaction().execute(async (trx) => {
    await lockPasskeys(trx, accountId);
    await requireLiveSession(trx, caller, now);
    if ((await listPasskeyRows(trx, accountId)).length >= MAX_PASSKEYS) {
      throw new RequestError('LIMIT_REACHED', { limit: MAX_PASSKEYS });
    }
    const row = await trx
      .insertInto('passkeys')
      .values({
        credential_id: credential.id,
        account_id: accountId,
        name: answer.name,
        public_key: Buffer.from(credential.publicKey),
        counter: credential.counter,
        transports: JSON.stringify(credential.transports ?? []),
        created_at: now,
      })
      .onConflict((conflict) => conflict.doNothing())
      .returningAll()
      .executeTakeFirst();
    // Otherwise someone who knows a credential's id could register it under an account of their own.
    if (row === undefined) throw new RequestError('PASSKEY_REFUSED');
    await addNotice(trx, { accountId, kind: 'passkey_added', detail: answer.name }, now);
    return row;
  });
}

/** Ends the sessions that began with it, except the caller's own. */
export async function removePasskey(platform: Platform, caller: Human, passkeyId: string): Promise<void> {
  const { accountId, sessionId } = caller;
  const now = platform.now();
  const { ended } = await platform.db.transaction().execute(async (trx) => {
    await lockPasskeys(trx, accountId);
    await requireLiveSession(trx, caller, now);
    const removed = await removePasskeys(trx, { accountId, only: passkeyId, except: sessionId }, now);
    if (removed.count === 0) throw new RequestError('NOT_FOUND');
    return removed;
  });
  wakeSessions(platform, ended);
}

export async function beginLogin(platform: Platform) {
  const { rpID } = site(platform);
  const options = await generateAuthenticationOptions({ rpID, timeout: CHALLENGE_MS, userVerification: 'required' });
  const { challenge } = options;
  const id = await addChallenge(platform.db, { purpose: 'login', challenge, accountId: null }, platform.now());
  return { id, options };
}

export async function finishLogin(
  platform: Platform,
  answer: Answer,
  device: Pick<DeviceTraits, 'client' | 'knownDevice'>,
): Promise<LoginSession> {
  const { account_id: accountId, credential_id: passkeyId } = await provePasskey(platform, answer);
  const known = readKnownDevice(platform.config, device.knownDevice, platform.now());
  const session = { accountId, client: device.client, verified: true, passkeyId, known };
  return platform.db.transaction().execute((trx) => startSession(platform, trx, session));
}

/** Finds the passkey that signed the challenge. Wrong passwords never stand in its way (AC-1). */
export async function provePasskey(platform: Platform, answer: Answer) {
  const { db } = platform;
  const now = platform.now();
  const challenge = await takeChallenge(db, { id: answer.challengeId, purpose: 'login', accountId: null }, now);
  const { id } = answer.credential;
  const passkey = typeof id === 'string' && CREDENTIAL_ID.test(id) ? await findPasskey(db, id) : undefined;
  if (challenge === undefined || passkey === undefined) throw new RequestError('PASSKEY_REFUSED');
  const { expectedOrigin, expectedRPID } = site(platform);
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: answer.credential as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin,
    expectedRPID,
    credential: {
      id: passkey.credential_id,
      publicKey: Uint8Array.from(passkey.public_key),
      counter: passkey.counter,
    },
  }).catch(refuse);
  const moved =
    verified &&
    (await moveCounter(
      db,
      { credentialId: passkey.credential_id, from: passkey.counter, to: authenticationInfo.newCounter },
      now,
    ));
  if (!moved) throw new RequestError('PASSKEY_REFUSED');
  return passkey;
}

/** The library's error says what it expected; the caller only learns that the passkey was refused. */
function refuse(): never {
  throw new RequestError('PASSKEY_REFUSED');
}
