import type { Progress } from '../execution.ts';

/** Writes one report at a time; a newer report replaces one that is not written yet. */
export function createReporter(write: (progress: Progress) => Promise<void>): (progress: Progress) => void {
  let next: Progress | undefined;
  let writing = false;
  const drain = async () => {
    writing = true;
    for (let progress = next; progress !== undefined; progress = next) {
      next = undefined;
      await write(progress);
    }
    writing = false;
  };
  return (progress) => {
    next = { ...next, ...progress };
    if (!writing) void drain();
  };
}
