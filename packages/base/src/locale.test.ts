import { describe, expect, it } from 'vitest';
import { fillText, localeOfEnvironment, readAcceptLanguage, toLocale } from './index.ts';

describe('HS-20 locales', () => {
  it.each([
    ['zh', 'zh-CN'],
    ['ZH-hant-TW', 'zh-CN'],
    ['zh_CN.UTF-8', 'zh-CN'],
    ['zhx', 'en'],
    ['de', 'en'],
    ['', 'en'],
  ])('HS-20 the tag %j is %s', (tag, locale) => {
    expect(toLocale(tag)).toBe(locale);
  });

  it.each([
    [undefined, 'en'],
    ['', 'en'],
    ['zh-CN', 'zh-CN'],
    ['ZH-cn', 'zh-CN'],
    ['en-GB,en;q=0.9,zh;q=0.8', 'en'],
    ['fr-CH, zh;q=0.5, en;q=0.1', 'zh-CN'],
    ['en;q=0.2,zh-Hans;q=0.7', 'zh-CN'],
    ['zh;q=0, en', 'en'],
    ['zh;q=0', 'en'],
    ['*', 'en'],
    ['zh;q=9', 'zh-CN'],
    [';;,,=q', 'en'],
  ])('HS-20 Accept-Language %j is read as %s', (header, locale) => {
    expect(readAcceptLanguage(header)).toBe(locale);
  });

  it.each([
    [{ LC_ALL: 'zh_CN.UTF-8', LANG: 'en_US.UTF-8' }, 'zh-CN'],
    [{ LC_ALL: '', LC_MESSAGES: 'zh_TW', LANG: 'C' }, 'zh-CN'],
    [{ LC_ALL: 'C', LANG: 'zh_CN.UTF-8' }, 'en'],
    [{ LANG: 'fr_FR.UTF-8' }, 'en'],
    [{}, 'en'],
  ])('HS-7 the environment %j means %s', (env, locale) => {
    expect(localeOfEnvironment(env)).toBe(locale);
  });
});

describe('HS-20 filling a text', () => {
  it('HS-20 a value that looks like a placeholder is not expanded', () => {
    expect(fillText('{a} and {b}', { a: '{b}', b: 'two' })).toBe('{b} and two');
  });

  it('HS-20 a placeholder without a value stays visible; nothing is inherited', () => {
    expect(fillText('{missing} {constructor} {given}', { given: 0 })).toBe('{missing} {constructor} 0');
  });

  it('HS-20 values are shown as the caller wants', () => {
    expect(fillText('<{a}>', { a: 'x' }, (value) => String(value).toUpperCase())).toBe('<X>');
  });
});
