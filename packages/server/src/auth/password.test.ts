import { verify } from '@node-rs/argon2';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { checkPassword, hashPassword } from './password.ts';

vi.mock('@node-rs/argon2', async (load) => {
  const argon2 = await load<typeof import('@node-rs/argon2')>();
  return { hash: argon2.hash, verify: vi.fn(argon2.verify) };
});
beforeEach(() => {
  vi.mocked(verify).mockClear();
});

describe('TR-9 passwords', () => {
  it.each([null, undefined])(
    'TR-9 timing: for an account without one (%s) as much work is done, in vain',
    async (none) => {
      const stored = await hashPassword('correct horse battery');
      await checkPassword(stored, 'wrong');
      expect(await checkPassword(none, 'wrong')).toBe(false);
      const [real, dummy] = vi.mocked(verify).mock.calls.map(([hash]) => String(hash).split('$').slice(0, 4).join('$'));
      expect(vi.mocked(verify)).toHaveBeenCalledTimes(2);
      expect(dummy).toBe(real);
    },
  );

  it('TR-9 one password typed on two keyboards is one password', async () => {
    const stored = await hashPassword('caf\u00e9 caf\u00e9 caf\u00e9');
    expect(await checkPassword(stored, 'cafe\u0301 cafe\u0301 cafe\u0301')).toBe(true);
    expect(await checkPassword(stored, 'cafe cafe cafe')).toBe(false);
  });
});
