const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[Zz]|([+-])(\d\d):(\d\d))$/;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Tests for a full-date (RFC 3339, section 5.6). */
export function isDate(text: string): boolean {
  const parts = DATE.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const days = month === 2 && isLeap ? 29 : (DAYS[month - 1] ?? 0);
  return day >= 1 && day <= days;
}

/** Tests for a full-time (RFC 3339, section 5.6). A leap second occurs only at 23:59:60 UTC. */
export function isTime(text: string): boolean {
  const parts = TIME.exec(text);
  if (parts === null) return false;
  const [hour, minute, second] = parts.slice(1, 4).map(Number) as [number, number, number];
  const [offsetHour, offsetMinute] = [Number(parts[5] ?? 0), Number(parts[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (parts[4] === '-' ? 1 : -1);
  const day = 24 * 60;
  return (hour * 60 + minute + offset + day) % day === day - 1;
}

export function isDateTime(text: string): boolean {
  return (text[10] === 'T' || text[10] === 't') && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

const DATE_UNITS = 'YMD';
const TIME_UNITS = 'HMS';

/** Tests for a duration (RFC 3339, appendix A): units are in order with no gap, and weeks stand alone. */
export function isDuration(text: string): boolean {
  if (!text.startsWith('P')) return false;
  const [date = '', time, more] = text.slice(1).split('T', 3);
  if (more !== undefined) return false;
  if (time === undefined && /^\d+W$/.test(date)) return true;
  if (date === '' && time === undefined) return false;
  return (date === '' || areUnits(date, DATE_UNITS)) && (time === undefined || areUnits(time, TIME_UNITS));
}

function areUnits(text: string, units: string): boolean {
  if (!/^[\dA-Z]*[A-Z]$/.test(text)) return false;
  const letters = text.replace(/\d+/g, '');
  return units.includes(letters) && !/^[A-Z]|[A-Z]{2}/.test(text);
}
