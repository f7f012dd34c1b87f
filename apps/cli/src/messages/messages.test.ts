import { expect, test } from 'vitest';
import { en } from './en.ts';
import { type MessageKey, wordsFor } from './index.ts';
import { zhCN } from './zh-CN.ts';

const holes = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();
const keys = Object.keys(en) as MessageKey[];

test('HS-6 the CLI’s tables have the same keys in both languages', () => {
  expect(Object.keys(zhCN).sort()).toEqual([...keys].sort());
});

test('HS-6 each text of the CLI takes the same parameters in both languages', () => {
  for (const key of keys) expect([key, holes(zhCN[key])]).toEqual([key, holes(en[key])]);
});

test('HS-6 no text is empty, and every Chinese one is in Chinese', () => {
  for (const key of keys) expect(en[key].trim()).not.toBe('');
  const hasWords = (text: string) => /\p{L}/u.test(text.replaceAll(/\{\w+\}/g, ''));
  const foreign = keys.filter((key) => hasWords(en[key]) && !/\p{Script=Han}/u.test(zhCN[key]));
  expect(foreign).toEqual([]);
});

test('HS-6 parameters are filled in literally, and counted words agree with their number', () => {
  const words = wordsFor('en');
  expect(words.say('validate.valid', { file: '$& {file}' })).toBe('$& {file} is valid.');
  expect([words.count('errors', 0), words.count('errors', 1)]).toEqual(['0 errors', '1 error']);
});
