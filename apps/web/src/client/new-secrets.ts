import type { Readable } from '@parley/base';
import type { NewSecret } from '@parley/client';

let waiting: readonly NewSecret[] = [];
const listeners = new Set<() => void>();

function set(next: readonly NewSecret[]): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Secrets that were made on this device and not looked at yet; in memory only. */
export const newSecrets: Readable<readonly NewSecret[]> = {
  getSnapshot: () => waiting,
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export const showSecret = (secret: NewSecret): void => set([...waiting, secret]);
export const dropSecret = (secret: NewSecret): void => set(waiting.filter((one) => one !== secret));
