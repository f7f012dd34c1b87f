import { currentLocale } from './index.ts';
import { spaceUnits } from './space-units.ts';

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;
const STEP = 1_024;

/** Formats a number with its thousands, and bytes in the largest unit that they are at least one of. */
export function formatAmount(value: number, unit: string): string {
  const locale = currentLocale();
  if (unit !== 'bytes') return value.toLocaleString(locale);
  const power = Math.min(UNITS.length - 1, value < 1 ? 0 : Math.floor(Math.log(value) / Math.log(STEP)));
  const text = (value / STEP ** power).toLocaleString(locale, {
    style: 'unit',
    unit: UNITS[power]!,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: 1,
  });
  return spaceUnits(text);
}
