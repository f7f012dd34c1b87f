import { expect, test } from 'vitest';
import { requestedLocale } from './locale.ts';

test.each([
  [['manifest', 'validate', '--locale', 'zh-CN'], 'zh-CN'],
  [['--locale=en', 'tour'], 'en'],
  [['--locale', 'en', '--locale=zh-CN'], 'zh-CN'],
  [['--locale', 'fr'], undefined],
  [['--locale'], undefined],
  [['--', '--locale', 'zh-CN'], undefined],
  [[], undefined],
])('HS-7 the arguments %j ask for %s', (argv, locale) => {
  expect(requestedLocale(argv)).toBe(locale);
});
