import type { Locale } from '@parley/base';
import { currentLocale } from './index.ts';
import { spaceUnits } from './space-units.ts';

const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * The person's own way to write dates and times: that of the first of the browser's languages that is the page's, such
 * as `en-GB` with its 24 hours; the page's where there is none. Traditional characters do not belong into a simplified
 * page, so the script has to be the same, too.
 */
export function chooseFormatLocale(page: Locale, languages: readonly string[]): string {
  const wanted = new Intl.Locale(page).maximize();
  const fits = (tag: string) => {
    try {
      const { language, script } = new Intl.Locale(tag).maximize();
      return language === wanted.language && script === wanted.script;
    } catch {
      // Browsers can be set to what is no language.
      return false;
    }
  };
  return languages.find(fits) ?? page;
}

const formatLocale = () => chooseFormatLocale(currentLocale(), globalThis.navigator?.languages ?? []);

/**
 * Each is made once, for a language and a time zone: making one takes a hundred times as long as using it, and a list
 * has a time in every row. The server may send what is no time.
 */
function format(date: Date, options: Intl.DateTimeFormatOptions): string {
  if (Number.isNaN(date.getTime())) return String(date);
  const locale = formatLocale();
  const key = `${locale} ${new Date().getTimezoneOffset()} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(locale, options);
  formats.set(key, known);
  return known.format(date);
}

/** Shows the time for today and the date for other days, with the year if it is another one. */
export function shortTime(text: string, now = Date.now()): string {
  const date = new Date(text);
  const today = new Date(now);
  if (now - date.getTime() < DAY_MS && today.getDate() === date.getDate()) return format(date, { timeStyle: 'short' });
  const isThisYear = today.getFullYear() === date.getFullYear();
  return format(date, { month: 'short', day: 'numeric', ...(isThisYear ? {} : { year: 'numeric' }) });
}

/** Shows the time with seconds, and the date if it is not today. */
export function clockTime(text: string, now = new Date()): string {
  const date = new Date(text);
  const time = format(date, { timeStyle: 'medium' });
  if (date.toDateString() === now.toDateString()) return time;
  return `${format(date, { month: 'numeric', day: 'numeric' })} ${time}`;
}

export function longTime(text: string | number): string {
  return format(new Date(text), { dateStyle: 'medium', timeStyle: 'short' });
}

/** Formats a remaining time, such as "3 h 20 min". */
export function duration(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  const unit = (value: number, name: 'hour' | 'minute') =>
    spaceUnits(value.toLocaleString(currentLocale(), { style: 'unit', unit: name, unitDisplay: 'short' }));
  const hours = Math.floor(minutes / 60);
  const rest = minutes % 60;
  if (hours === 0) return unit(rest, 'minute');
  return rest === 0 ? unit(hours, 'hour') : `${unit(hours, 'hour')} ${unit(rest, 'minute')}`;
}
