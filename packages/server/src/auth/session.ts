import { createHmac, hash } from 'node:crypto';
import { keyOf } from '../events/bus.ts';
import { RequestError } from '../http/request-error.ts';
import { createId } from '../id.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { ACCESS_SECONDS, signAccessToken } from './access-token.ts';
import { type KnownDevice, readKnownDevice, signKnownDevice } from './known-device.ts';
import { hashSecret, makeSecret, sameHash } from './secret.ts';
import { listTokenSecrets } from './token-secrets.ts';

export const REFRESH_SECONDS = 30 * 24 * 60 * 60;
/** A client whose reply was lost, or a second tab, sends the same token again within this time. */
const REPEAT_MS = 60_000;

export interface LoginSession {
  readonly accountId: string;
  readonly sessionId: string;
  readonly accessToken: string;
  readonly expiresInSeconds: number;
  readonly refreshToken: string;
  /**
   * The proof that this device was signed in (AC-1); undefined if it has one that counts, or if nobody has proved in this
   * session who they are.
   */
  readonly knownDevice: string | undefined;
}

interface NewSession {
  readonly accountId: string;
  readonly client: string | undefined;
  /** Whether the person has just given the password or a passkey, which some changes ask for (AC-3). */
  readonly verified: boolean;
  readonly passkeyId?: string;
  /** The stored hash that the password was checked against. */
  readonly passwordHash?: string | null;
  /** The device is told from others by the proof that it had before. */
  readonly known?: KnownDevice | undefined;
}

/**
 * A refresh token has two parts: the family, which lives as long as the session, and a part for each rotation. So a
 * token of any age is recognised as one that was replaced, while only two hashes are kept. Nothing begins if the account
 * was banned, or its password or passkey replaced, since they were checked: that ended all sessions there were (AC-9).
 */
export async function startSession(platform: Platform, trx: Trx, session: NewSession): Promise<LoginSession> {
  const { accountId, client, verified, passkeyId, known } = session;
  const now = platform.now();
  const epoch = await lockWayIn(trx, session);
  if (epoch === undefined) throw new RequestError('LOGIN_FAILED');
  const family = makeSecret();
  const token = `${family}.${makeSecret()}`;
  const id = createId(now);
  await trx
    .insertInto('sessions')
    .values({
      id,
      account_id: accountId,
      device_id: null,
      family_hash: hashSecret(family),
      refresh_hash: hashSecret(token),
      previous_hash: null,
      user_agent: client?.slice(0, 200) ?? null,
      verified_at: verified ? now : null,
      passkey_id: passkeyId ?? null,
      created_at: now,
      used_at: now,
      expires_at: expiry(now),
    })
    .execute();
  const nonce = known?.accountId === accountId && known.epoch === epoch ? known.nonce : nonceOf(id);
  // Whoever holds a stolen session can let in others without end: each would bring ten more guesses.
  const knownDevice = verified
    ? signKnownDevice(platform.config.tokenSecret, { accountId, epoch, nonce }, now)
    : undefined;
  return issue(platform, { accountId, sessionId: id }, { refreshToken: token, knownDevice });
}

/** It stays as it is until the transaction ends. Returns the epoch of known devices, or undefined if the way is closed. */
async function lockWayIn(trx: Trx, { accountId, passkeyId, passwordHash }: NewSession): Promise<number | undefined> {
  const account = await trx
    .selectFrom('accounts')
    .select('known_device_epoch')
    .where('id', '=', accountId)
    .where('status', '=', 'active')
    .$if(passwordHash !== undefined, (query) => query.where('password_hash', '=', passwordHash!))
    .forShare()
    .executeTakeFirst();
  if (passkeyId === undefined) return account?.known_device_epoch;
  const passkey = await trx
    .selectFrom('passkeys')
    .select('credential_id')
    .where('credential_id', '=', passkeyId)
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return passkey && account?.known_device_epoch;
}

/** What can be seen of a device besides its token. */
export interface DeviceTraits {
  readonly client: string | undefined;
  readonly network: string;
  /** The proof that this device was signed in, as it was sent. */
  readonly knownDevice: string | undefined;
}

/**
 * RFC 9700, 4.14.2: a replaced token ends the session, because one of its two holders is a thief. But the same device may
 * repeat itself for a minute, as its reply may have been lost, or another tab was first (AC-2). It gets the same token,
 * which is not stored: it is derived from the one before. The same device has the same proof; without one, the same
 * program and network. A thief who can imitate that has the token that the owner has, and the next rotation of either
 * ends the session.
 */
export async function refreshSession(platform: Platform, token: string, traits: DeviceTraits): Promise<LoginSession> {
  const now = platform.now();
  const { tokenSecret } = platform.config;
  const family = token.split('.', 1)[0]!;
  const successors = listTokenSecrets(platform.config).map((secret) => `${family}.${deriveSuccessor(secret, token)}`);
  const next = successors[0]!;
  const found = await platform.db.transaction().execute(async (trx) => {
    const session = await trx
      .selectFrom('sessions as s')
      .innerJoin('accounts as a', 'a.id', 's.account_id')
      .select(['s.id', 's.account_id', 's.refresh_hash', 's.previous_hash', 's.rotated_at', 's.rotated_by'])
      .select(['s.verified_at', 'a.known_device_epoch'])
      .where('s.family_hash', '=', hashSecret(family))
      .where('s.revoked_at', 'is', null)
      .where('s.expires_at', '>', now)
      .where('a.status', '=', 'active')
      .forUpdate('s')
      .executeTakeFirst();
    if (session === undefined) return (await isOfRevokedDevice(trx, token, family)) ? 'revoked' : 'unknown';
    const given = hashSecret(token);
    const { account_id: accountId, known_device_epoch: epoch } = session;
    const read = readKnownDevice(platform.config, traits.knownDevice, now);
    const known = read?.accountId === accountId && read.epoch === epoch ? read : undefined;
    if (!sameHash(session.refresh_hash, given)) {
      const age = Math.abs(now.getTime() - (session.rotated_at?.getTime() ?? 0));
      const isLast = session.previous_hash !== null && sameHash(session.previous_hash, given) && age < REPEAT_MS;
      // A node of the version before, or with another secret, made a token that cannot be derived again: nothing is issued.
      const made = successors.find((successor) => sameHash(session.refresh_hash, hashSecret(successor)));
      if (isLast && (session.rotated_by === null || made === undefined)) return 'conflict';
      if (isLast && isSameDevice(session.rotated_by, traits, known)) return { session, known, refreshToken: made! };
      await trx.updateTable('sessions').set({ revoked_at: now }).where('id', '=', session.id).execute();
      return { stolen: session.id };
    }
    await trx
      .updateTable('sessions')
      .set({
        refresh_hash: hashSecret(next),
        previous_hash: given,
        rotated_at: now,
        rotated_by: describeDevice(traits, known),
        used_at: now,
        expires_at: expiry(now),
      })
      .where('id', '=', session.id)
      .execute();
    return { session, known, refreshToken: next };
  });
  if (found === 'unknown') throw new RequestError('UNAUTHENTICATED');
  if (found === 'revoked') throw new RequestError('DEVICE_REVOKED', {}, { status: 401 });
  if (found === 'conflict') throw new RequestError('REFRESH_CONFLICT');
  if ('stolen' in found) {
    platform.log.warn({ session: found.stolen }, 'a refresh token was used twice: session revoked');
    wakeSessions(platform, [found.stolen]);
    throw new RequestError('UNAUTHENTICATED');
  }
  const { account_id: accountId, id: sessionId, known_device_epoch: epoch, verified_at } = found.session;
  const knownDevice =
    found.known || verified_at === null
      ? undefined
      : signKnownDevice(tokenSecret, { accountId, epoch, nonce: nonceOf(sessionId) }, now);
  return issue(platform, { accountId, sessionId }, { refreshToken: found.refreshToken, knownDevice });
}

/** Whoever holds the last token of a device that was removed learns why it ended, and nobody else. */
async function isOfRevokedDevice(trx: Trx, token: string, family: string): Promise<boolean> {
  const row = await trx
    .selectFrom('sessions as s')
    .innerJoin('devices as d', 'd.id', 's.device_id')
    .select('s.refresh_hash')
    .where('s.family_hash', '=', hashSecret(family))
    .where('d.revoked_at', 'is not', null)
    .executeTakeFirst();
  return row !== undefined && sameHash(row.refresh_hash, hashSecret(token));
}

/** All proofs that one session asks for are of one device: each of its own would be ten more guesses (AC-1). */
export function nonceOf(sessionId: string): string {
  return hash('sha256', `parley-known-device ${sessionId}`, 'buffer').subarray(0, 16).toString('base64url');
}

/** The label keeps it apart from whatever else the secret signs. */
function deriveSuccessor(secret: Uint8Array, token: string): string {
  return createHmac('sha256', secret).update(`parley-refresh-v1\n${token}`).digest('base64url');
}

const describeProof = ({ nonce }: KnownDevice) => `proof ${hashSecret(nonce)}`;
const describeProgram = ({ client = '', network }: DeviceTraits) => `program ${hashSecret(`${network}\n${client}`)}`;

function describeDevice(traits: DeviceTraits, known: KnownDevice | undefined): string {
  return known === undefined ? describeProgram(traits) : describeProof(known);
}

/** Whoever had a proof at first must have it again; who had none is known by program and network. */
function isSameDevice(rotatedBy: string | null, traits: DeviceTraits, known: KnownDevice | undefined): boolean {
  if (rotatedBy === null) return false;
  if (known !== undefined && sameHash(rotatedBy, describeProof(known))) return true;
  return sameHash(rotatedBy, describeProgram(traits));
}

async function issue(
  platform: Platform,
  claims: { readonly accountId: string; readonly sessionId: string },
  secrets: Pick<LoginSession, 'refreshToken' | 'knownDevice'>,
): Promise<LoginSession> {
  const accessToken = await signAccessToken(platform.config, claims, platform.now());
  return { ...claims, accessToken, expiresInSeconds: ACCESS_SECONDS, ...secrets };
}

/** Makes open connections of these sessions check again whether they are still allowed. */
export function wakeSessions(platform: Platform, ids: readonly string[]): void {
  if (ids.length > 0) platform.bus.wake(ids.map(keyOf.session));
}

function expiry(now: Date): Date {
  return new Date(now.getTime() + REFRESH_SECONDS * 1_000);
}
