import {
  chmodSync,
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';

/** Copies a folder with all that a recovery goes by: contents, modes, times, and which names are one file. */
export function copyTree(from: string, to: string): void {
  const copies = new Map<number, string>();
  const copy = (source: string, target: string): void => {
    const stats = lstatSync(source);
    const known = copies.get(stats.ino);
    if (known !== undefined) linkSync(known, target);
    else if (stats.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (stats.isDirectory()) {
      mkdirSync(target, { recursive: true });
      for (const name of readdirSync(source)) copy(join(source, name), join(target, name));
      chmodSync(target, stats.mode & 0o7777);
    } else {
      copyFileSync(source, target);
      // Whole milliseconds: of finer times, each copy of a copy would lose some more.
      utimesSync(target, stats.atime, Math.round(stats.mtimeMs) / 1_000);
      copies.set(stats.ino, target);
    }
  };
  copy(from, to);
}
