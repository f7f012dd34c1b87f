import { expect, test } from 'vitest';
import { detectLocale, requestedLocale } from './locale.ts';

test.each([
  [{ LC_ALL: 'zh_CN.UTF-8', LANG: 'en_US.UTF-8' }, 'zh-CN'],
  [{ LC_ALL: '', LC_MESSAGES: 'zh_TW', LANG: 'C' }, 'zh-CN'],
  [{ LC_ALL: 'C', LANG: 'zh_CN.UTF-8' }, 'en'],
  [{ LANG: 'zh' }, 'zh-CN'],
  [{ LANG: 'zhx' }, 'en'],
  [{ LANG: 'fr_FR.UTF-8' }, 'en'],
  [{}, 'en'],
])('HS-7 the environment %j means %s', (env, locale) => {
  expect(detectLocale(env)).toBe(locale);
});

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
