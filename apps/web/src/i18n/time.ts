import { currentLocale } from './index.ts';

const DAY_MS = 86_400_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/**
 * Each is made once, for a language and a time zone: making one takes a hundred times as long as using it, and a list
 * has a time in every row. The server may send what is no time.
 */
function format(date: Date, options: Intl.DateTimeFormatOptions): string {
  if (Number.isNaN(date.getTime())) return String(date);
  const key = `${currentLocale()} ${new Date().getTimezoneOffset()} ${JSON.stringify(options)}`;
  const known = formats.get(key) ?? new Intl.DateTimeFormat(currentLocale(), options);
  formats.set(key, known);
  return known.format(date);
}

/** Shows the time for today and the date for other days. */
export function shortTime(text: string, now = Date.now()): string {
  const date = new Date(text);
  if (now - date.getTime() < DAY_MS && new Date(now).getDate() === date.getDate())
    return format(date, { hour: '2-digit', minute: '2-digit' });
  return format(date, { month: 'short', day: 'numeric' });
}

/** Shows the time with seconds, and the date if it is not today. */
export function clockTime(text: string, now = new Date()): string {
  const date = new Date(text);
  const time = format(date, { hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
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
    value.toLocaleString(currentLocale(), { style: 'unit', unit: name, unitDisplay: 'short' });
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? unit(minutes, 'minute') : `${unit(hours, 'hour')} ${unit(minutes % 60, 'minute')}`;
}
