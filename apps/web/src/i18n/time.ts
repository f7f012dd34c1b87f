import { currentLocale } from './index.ts';

const DAY_MS = 86_400_000;

/** The hour today, the day otherwise. */
export function shortTime(text: string, now = Date.now()): string {
  const date = new Date(text);
  const locale = currentLocale();
  if (now - date.getTime() < DAY_MS && new Date(now).getDate() === date.getDate())
    return date.toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });
  return date.toLocaleDateString(locale, { month: 'short', day: 'numeric' });
}

export function longTime(text: string | number): string {
  return new Date(text).toLocaleString(currentLocale(), { dateStyle: 'medium', timeStyle: 'short' });
}

/** "3 h 20 min", for what is left of something. */
export function duration(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  const unit = (value: number, name: 'hour' | 'minute') =>
    value.toLocaleString(currentLocale(), { style: 'unit', unit: name, unitDisplay: 'short' });
  const hours = Math.floor(minutes / 60);
  return hours === 0 ? unit(minutes, 'minute') : `${unit(hours, 'hour')} ${unit(minutes % 60, 'minute')}`;
}
