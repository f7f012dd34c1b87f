const two = (value: number) => String(value).padStart(2, '0');

/** `HH:MM`, by the clock of this machine. */
export function clockOf(time: string | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '--:--' : `${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** `MM-DD HH:MM`. */
export function dayOf(time: number): string {
  const date = new Date(time);
  return `${two(date.getMonth() + 1)}-${two(date.getDate())} ${clockOf(time)}`;
}
