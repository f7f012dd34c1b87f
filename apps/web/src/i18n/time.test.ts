import { initReactI18next } from 'react-i18next';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { i18n } from './index.ts';
import { chooseFormatLocale, clockTime, duration, longTime, shortTime } from './time.ts';

const NOON = new Date(2026, 6, 14, 18, 55, 7);
const MORNING = new Date(2026, 6, 14, 6, 5, 7);
/** Some versions write a narrow space before AM and PM. */
const plain = (text: string) => text.replaceAll(/\s/g, ' ');

describe('WC-44 date and time', () => {
  beforeAll(() => i18n.use(initReactI18next).init({ lng: 'en', resources: {} }));
  afterEach(() => vi.unstubAllGlobals());

  it.each([
    ['en', ['en-GB', 'en-US'], 'en-GB'],
    ['en', ['de-CH', 'en-US'], 'en-US'],
    ['en', ['de-CH'], 'en'],
    ['en', [], 'en'],
    ['en', ['not a language', 'en-AU'], 'en-AU'],
    ['zh-CN', ['en-US', 'zh'], 'zh'],
    ['zh-CN', ['zh-TW', 'zh-SG'], 'zh-SG'],
    ['zh-CN', ['zh-Hant-HK'], 'zh-CN'],
  ] as const)('WC-44 a page in %s, a browser in %j: %s', (page, languages, format) => {
    expect(chooseFormatLocale(page, languages)).toBe(format);
  });

  it.each([
    ['en', 'en-US', '6:55 PM', '6:05 AM', '6:55:07 PM', 'Jul 14, 2026, 6:55 PM'],
    ['en', 'en-GB', '18:55', '06:05', '18:55:07', '14 Jul 2026, 18:55'],
    ['en', 'de-DE', '6:55 PM', '6:05 AM', '6:55:07 PM', 'Jul 14, 2026, 6:55 PM'],
    ['zh-CN', 'zh-CN', '18:55', '06:05', '18:55:07', '2026年7月14日 18:55'],
  ] as const)('WC-44 a page in %s, a browser in %s', async (page, language, evening, morning, clock, long) => {
    await i18n.changeLanguage(page);
    vi.stubGlobal('navigator', { languages: [language] });
    const now = NOON.getTime() + 60_000;
    expect(plain(shortTime(NOON.toISOString(), now))).toBe(evening);
    expect(plain(shortTime(MORNING.toISOString(), now))).toBe(morning);
    expect(plain(clockTime(NOON.toISOString(), new Date(now)))).toBe(clock);
    expect(plain(longTime(NOON.toISOString()))).toBe(long);
  });

  it.each([
    ['en', '24 hr', '3 hr 20 min', '5 min', '0 min'],
    ['zh-CN', '24 小时', '3 小时 20 分钟', '5 分钟', '0 分钟'],
  ] as const)('WC-44 what is left, as people write it in %s', async (page, day, hours, minutes, none) => {
    await i18n.changeLanguage(page);
    const left = [1_440, 200, 5, 0].map((count) => plain(duration(count * 60_000)));
    expect(left).toEqual([day, hours, minutes, none]);
  });

  it('WC-44 another day is a date, another year has its number, and what is no time is no error', async () => {
    await i18n.changeLanguage('en');
    vi.stubGlobal('navigator', { languages: ['en-US'] });
    const later = new Date(2026, 11, 24, 12).getTime();
    expect(shortTime(NOON.toISOString(), later)).toBe('Jul 14');
    expect(shortTime(NOON.toISOString(), later + 30 * 86_400_000)).toBe('Jul 14, 2026');
    expect(plain(clockTime(NOON.toISOString(), new Date(later)))).toBe('7/14 6:55:07 PM');
    expect(shortTime('soon')).toBe('Invalid Date');
  });
});
