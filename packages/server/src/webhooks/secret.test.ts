import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { checkSecret, makeSecret, openSecret, sealSecret } from './secret.ts';

const storage = randomBytes(32);
const refused = { code: 'WEBHOOK_SECRET_TOO_SHORT' };
const failure = (secret: string): unknown => {
  try {
    checkSecret(secret);
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('TR-5 secrets', () => {
  it.each([
    ['empty', ''],
    ['of one byte', 'x'],
    ['of 31 bytes', 'x'.repeat(31)],
    ['of 31 bytes in two-byte letters', `${'é'.repeat(15)}x`],
    ['that is only the prefix', 'whsec_'],
    ['of 31 bytes in base64', `whsec_${Buffer.alloc(31, 1).toString('base64')}`],
    ['with the prefix but not base64', `whsec_${'?'.repeat(64)}`],
  ])('TR-5 a secret %s is refused', (_, secret) => {
    expect(failure(secret)).toMatchObject(refused);
  });

  it.each([
    ['of 32 bytes', 'x'.repeat(32)],
    ['of 32 bytes in two-byte letters', 'é'.repeat(16)],
    ['of 32 bytes in base64', `whsec_${Buffer.alloc(32, 1).toString('base64')}`],
    ['that the server makes', makeSecret()],
  ])('TR-5 a secret %s is fine', (_, secret) => {
    expect(failure(secret)).toBeUndefined();
  });

  it('TR-5 the server makes a different one each time', () => {
    expect(new Set(Array.from({ length: 50 }, makeSecret)).size).toBe(50);
  });

  it('TR-5 a secret at rest cannot be read, and opens for its agent and key only', () => {
    const secret = makeSecret();
    const sealed = sealSecret(storage, 'agent-a', secret);
    expect(sealed).not.toContain(secret.slice(6, 20));
    expect(openSecret(storage, 'agent-a', sealed)).toBe(secret);
    expect(() => openSecret(storage, 'agent-b', sealed)).toThrow();
    expect(() => openSecret(randomBytes(32), 'agent-a', sealed)).toThrow();
    const bytes = Buffer.from(sealed, 'base64');
    bytes[40]! ^= 1;
    expect(() => openSecret(storage, 'agent-a', bytes.toString('base64'))).toThrow();
  });
});
