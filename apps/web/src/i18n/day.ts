import { currentLocale } from './index.ts';

export type Day = 'today' | 'yesterday' | 'other';

const DAY_MS = 86_400_000;
const startOf = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();

/** Where the day begins. Undefined for what is no time: a sender may write anything. */
export function dayOf(text: string): number | undefined {
  const start = startOf(new Date(text));
  return Number.isNaN(start) ? undefined : start;
}

export function nameDay(text: string, now = new Date()): Day {
  // A day may have 23 or 25 hours.
  const days = Math.round((startOf(now) - (dayOf(text) ?? Number.NaN)) / DAY_MS);
  return days === 0 ? 'today' : days === 1 ? 'yesterday' : 'other';
}

/** The day in words, with the year if it is another one. */
export function longDay(text: string, now = new Date()): string {
  const isThisYear = new Date(text).getFullYear() === now.getFullYear();
  return format(text, { weekday: 'long', day: 'numeric', month: 'long', ...(isThisYear ? {} : { year: 'numeric' }) });
}

export function timeOfDay(text: string): string {
  return dayOf(text) === undefined ? '' : format(text, { hour: 'numeric', minute: '2-digit' });
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** Each is made once: making one takes a hundred times as long as using it, and every message has a time. */
function format(text: string, options: Intl.DateTimeFormatOptions): string {
  const date = new Date(text);
  const key = `${currentLocale()} ${date.getTimezoneOffset()} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(currentLocale(), options);
  formats.set(key, known);
  return known.format(date);
}
