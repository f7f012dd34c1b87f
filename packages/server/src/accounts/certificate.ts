import type { BodyOf, deviceRoutes } from '@parley/protocol';
import { RequestError } from '../http/request-error.ts';
import { isSigned } from '../keys/signature.ts';

export type Certificate = BodyOf<typeof deviceRoutes.certifyDevice>['certificate'];

export interface Subject {
  readonly accountId: string;
  readonly deviceId: string;
  readonly identityKey: string;
  readonly exchangeKey: string;
}

/**
 * EE-14: checks that the holder of the account key certified this device and no other. This only helps its owner:
 * whoever relies on a certificate verifies it again, under the account key they pinned.
 */
export function checkCertificate(certificate: Certificate, accountKey: string | null, subject: Subject): void {
  const { signature, ...statement } = certificate;
  const fits =
    accountKey !== null &&
    statement.account_id === subject.accountId &&
    statement.identity_key === subject.identityKey &&
    statement.exchange_key === subject.exchangeKey &&
    (statement.device_id === undefined || statement.device_id === subject.deviceId);
  if (!fits || !isSigned(statement, signature, accountKey)) {
    throw new RequestError('SIGNATURE_INVALID', { path: '/certificate' });
  }
}
