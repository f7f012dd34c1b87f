import type { Device } from '@parley/client';
import type { Words } from '../../messages/index.ts';
import type { Paint } from '../../paint.ts';
import type { Screen } from '../terminal/screen.ts';

/** A conversation in a terminal: whose device, on which screen, in which language. */
export interface Room {
  readonly device: Device;
  readonly screen: Screen;
  readonly words: Words;
  readonly paint: Paint;
}

export const BAR = '│';

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
