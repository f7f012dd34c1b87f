import { copyFileSync, statSync, truncateSync } from 'node:fs';

const MAX_BYTES = 20 * 1024 * 1024;

/**
 * Empties a log that has grown beyond 20 MB, with a copy of it at `<file>.1`. For the output of other processes, which have
 * it open for appending, so that it cannot be renamed. It never throws.
 */
export function rotateInPlace(file: string): void {
  try {
    if (statSync(file).size < MAX_BYTES) return;
    copyFileSync(file, `${file}.1`);
  } catch {
    // On a full disk there is no room for a copy, and the more need for what it takes.
  }
  try {
    if (statSync(file).size >= MAX_BYTES) truncateSync(file);
  } catch {
    // It is gone.
  }
}
