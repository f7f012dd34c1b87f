import { generateEd25519, generateX25519, toBase64Url } from '@parley/e2ee';
import { nodeCrypto as crypto } from '@parley/e2ee/node';
import { describe, expect, it } from 'vitest';
import { deviceCode, isSameCode } from './device-code.ts';

const device = {
  accountId: '018f0000-0000-7000-8000-000000000001',
  accountKey: toBase64Url(generateEd25519(crypto).publicKey),
  deviceId: '018f0000-0000-7000-8000-000000000002',
  identityKey: toBase64Url(generateEd25519(crypto).publicKey),
  exchangeKey: toBase64Url(generateX25519(crypto).publicKey),
};

describe('EE-14 the code of a device that waits', () => {
  it('EE-14 is 25 digits, the same on both sides, however it is typed', () => {
    const code = deviceCode(crypto, device)!;
    expect(code).toMatch(/^(\d{5} ){4}\d{5}$/);
    expect(deviceCode(crypto, { ...device })).toBe(code);
    expect(isSameCode(code.replaceAll(' ', '-'), code)).toBe(true);
    expect(isSameCode('', code)).toBe(false);
  });

  it.each(['accountId', 'accountKey', 'deviceId', 'exchangeKey', 'identityKey'] as const)(
    'EE-14 swap the %s on the way: the code is another one',
    (field) => {
      const other = { ...device, [field]: toBase64Url(generateEd25519(crypto).publicKey) };
      expect(deviceCode(crypto, other)).not.toBe(deviceCode(crypto, device));
    },
  );

  it('EE-14 a malformed key has none', () => {
    expect(deviceCode(crypto, { ...device, identityKey: 'AAAA' })).toBeUndefined();
  });
});
