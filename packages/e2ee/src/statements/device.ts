import type { deviceRoutes, ReplyOf } from '@parley/protocol';
import { toBase64Url } from '../bytes.ts';
import type { Crypto, KeyPair } from '../provider/crypto.ts';
import { signStatement, verifyStatement } from './statement.ts';

// EE-14: before there was a device list, a device counted with a certificate under the account key. They are verified as
// long as an account has no list, and made no more.

export type Certificate = NonNullable<ReplyOf<typeof deviceRoutes.accountDevices>['devices'][number]['certificate']>;

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
