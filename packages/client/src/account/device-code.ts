import { type Crypto, fromBase64Url, keyFingerprint } from '@parley/e2ee';

export interface CodedDevice {
  readonly accountId: string;
  readonly accountKey: string;
  readonly deviceId: string;
  readonly identityKey: string;
  readonly exchangeKey: string;
}

/**
 * Returns 25 digits that a new device shows and the approving one compares. They cover all keys of the approval,
 * including the account key: a server that replaced one of them shows different digits on one of the screens (EE-14).
 */
export function deviceCode(crypto: Crypto, device: CodedDevice): string | undefined {
  const { accountId, accountKey, deviceId, identityKey, exchangeKey } = device;
  const key = fromBase64Url(identityKey);
  if (key?.length !== 32) return undefined;
  const id = [accountId, accountKey, deviceId, exchangeKey].join('\n');
  const bytes = fromBase64Url(keyFingerprint(crypto, { id, key }))!;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const groups = Array.from({ length: 5 }, (_, index) => view.getUint32(index * 4) % 100_000);
  return groups.map((group) => String(group).padStart(5, '0')).join(' ');
}

export function isSameCode(typed: string, code: string): boolean {
  return typed.replaceAll(/\D/g, '') === code.replaceAll(' ', '');
}
