import { expect, it } from 'vitest';
import { ADVISORY_LOCKS } from './advisory-locks.ts';
import { MIGRATIONS } from './migrations.ts';

it('OP-3 an advisory lock has one purpose: who counts usage for minutes stops nobody else', () => {
  const { migrate, firstAccount, conversationOfTwo: _, ...others } = ADVISORY_LOCKS;
  const numbers = Object.values(others);
  expect(new Set([migrate, firstAccount, ...numbers]).size).toBe(numbers.length + 2);
  const inSql = Object.values(MIGRATIONS).flatMap((text) => text.match(/\b72130\d\d\b/g) ?? []);
  expect(inSql).toContain('7213005');
  expect(numbers.filter((number) => inSql.includes(String(number)))).toEqual([]);
});
