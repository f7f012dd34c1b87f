import { verify } from '@node-rs/argon2';
import { describe, expect, it } from 'vitest';
import { createPasswords } from './password.ts';

const CHEAP = { memoryCost: 64, timeCost: 1 };
const costOf = (stored: string) => stored.split('$').slice(1, 4).join('$');

describe('TR-9 passwords', () => {
  it.each([null, undefined])(
    'TR-9 timing: for an account without one (%s) as much work is done, in vain',
    async (none) => {
      const compared: string[] = [];
      const passwords = createPasswords({
        cost: CHEAP,
        compare: (stored, password) => {
          compared.push(costOf(stored));
          return verify(stored, password);
        },
      });
      await passwords.check(await passwords.hash('correct horse battery'), 'wrong');
      expect(await passwords.check(none, 'wrong')).toBe(false);
      expect(compared).toEqual(['argon2id$v=19$m=64,t=1,p=1', 'argon2id$v=19$m=64,t=1,p=1']);
    },
  );

  it('TR-9 brute force: unless told otherwise, a hash costs what OWASP asks for', async () => {
    expect(costOf(await createPasswords().hash('correct horse battery'))).toBe('argon2id$v=19$m=19456,t=2,p=1');
  });

  it('TR-9 one password typed on two keyboards is one password', async () => {
    const passwords = createPasswords({ cost: CHEAP });
    const stored = await passwords.hash('caf\u00e9 caf\u00e9 caf\u00e9');
    expect(await passwords.check(stored, 'cafe\u0301 cafe\u0301 cafe\u0301')).toBe(true);
    expect(await passwords.check(stored, 'cafe cafe cafe')).toBe(false);
  });
});
