const two = (value: number) => String(value).padStart(2, '0');

/** Formats a time as `HH:MM` in the local time zone. */
export function clockOf(time: string | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '--:--' : `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Formats a time as `MM-DD HH:MM` in the local time zone. */
export function dayOf(time: number): string {
  const date = new Date(time);
  return `${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockOf(time)}`;
}
