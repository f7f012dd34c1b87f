import { currentLocale } from './index.ts';

const DAY_MS = 86_400_000;

/** Shows the time for today and the date for other days. */
export function shortTime(text: string, now = Date.now()): string {
  const date = new Date(text);
  const locale = currentLocale();
  if (now - date.getTime() < DAY_MS && new Date(now).getDate() === date.getDate())
    return date.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
  return date.toLocaleDateString(locale, { month: 'short', day: 'numeric' });
}

/** Shows the time with seconds, and the date if it is not today. */
export function clockTime(text: string, now = new Date()): string {
  const date = new Date(text);
  const time = date.toLocaleTimeString(currentLocale(), {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hour12: false,
  });
  if (date.toDateString() === now.toDateString()) return time;
  return `${date.toLocaleDateString(currentLocale(), { month: 'numeric', day: 'numeric' })} ${time}`;
}

export function longTime(text: string | number): string {
  return new Date(text).toLocaleString(currentLocale(), { dateStyle: 'medium', timeStyle: 'short' });
}

/** Formats a remaining time, such as "3 h 20 min". */
export function duration(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  const unit = (value: number, name: 'hour' | 'minute') =>
    value.toLocaleString(currentLocale(), { style: 'unit', unit: name, unitDisplay: 'short' });
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? unit(minutes, 'minute') : `${unit(hours, 'hour')} ${unit(minutes % 60, 'minute')}`;
}
