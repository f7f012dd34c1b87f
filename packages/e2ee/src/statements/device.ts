import type { BodyOf, deviceRoutes } from '@parley/protocol';
import { toBase64Url } from '../bytes.ts';
import type { PublicIdentity } from '../handshake.ts';
import type { Crypto, KeyPair } from '../provider/crypto.ts';
import { signStatement, verifyStatement } from './statement.ts';

// EE-14: a device counts only with a certificate under the account key, which others pin. So no server can add one.

export type Certificate = BodyOf<typeof deviceRoutes.certifyDevice>['certificate'];

export interface DeviceSubject extends PublicIdentity {
  readonly accountId: string;
  /** Absent in the certificate of a first device, which is made before the device has an id. */
  readonly deviceId?: string;
}

export function certifyDevice(
  crypto: Crypto,
  accountKey: KeyPair,
  { subject, createdAt }: { subject: DeviceSubject; createdAt: string },
): Certificate {
  const statement = {
    purpose: 'parley-device-v1' as const,
    account_id: subject.accountId,
    ...(subject.deviceId === undefined ? {} : { device_id: subject.deviceId }),
    identity_key: toBase64Url(subject.identityKey),
    exchange_key: toBase64Url(subject.exchangeKey),
    created_at: createdAt,
  };
  return { ...statement, signature: signStatement(crypto, statement, accountKey) };
}

/** Did the holder of the pinned account key certify exactly these keys, for this device? */
export function verifyCertificate(
  crypto: Crypto,
  certificate: Certificate,
  { accountKey, ...subject }: { accountKey: string; accountId: string; deviceId: string } & WireIdentity,
): boolean {
  const { signature, ...statement } = certificate;
  return (
    statement.purpose === 'parley-device-v1' &&
    statement.account_id === subject.accountId &&
    (statement.device_id === undefined || statement.device_id === subject.deviceId) &&
    statement.identity_key === subject.identity_key &&
    statement.exchange_key === subject.exchange_key &&
    verifyStatement(crypto, statement, { publicKey: accountKey, signature })
  );
}

interface WireIdentity {
  readonly identity_key: string;
  readonly exchange_key: string;
}

/** Proves to the server that a session runs on a device it knows already. */
export function proveDevice(crypto: Crypto, identity: KeyPair, to: { accountId: string; sessionId: string }): string {
  const statement = {
    purpose: 'parley-device-bind-v1',
    account_id: to.accountId,
    session_id: to.sessionId,
    identity_key: toBase64Url(identity.publicKey),
  };
  return signStatement(crypto, statement, identity);
}

export interface AccountKeyChange {
  readonly account_id: string;
  readonly old_account_key: string;
  readonly new_account_key: string;
  readonly created_at: string;
}

export function signAccountKey(crypto: Crypto, change: AccountKeyChange, oldKey: KeyPair): string {
  return signStatement(crypto, { ...change, purpose: 'parley-account-key-v1' }, oldKey);
}

/** Only this signature leads those who pinned the old key to the new one. */
export function verifyAccountKey(crypto: Crypto, change: AccountKeyChange, signature: string): boolean {
  const statement = { ...change, purpose: 'parley-account-key-v1' };
  return verifyStatement(crypto, statement, { publicKey: change.old_account_key, signature });
}
