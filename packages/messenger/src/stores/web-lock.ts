import { messengerError } from '../errors.ts';

/** Of several tabs only one holds a name; the browser lets go of it when the tab is closed or dies. */
export interface WebLock {
  isOurs(): boolean;
  release(): void;
}

/**
 * If another tab has it: `fail` at once with STORE_BUSY, `wait` until it is closed, or `steal` it; the other then finds
 * STORE_LOST at its next write.
 */
export type OnBusy = 'fail' | 'wait' | 'steal';

const OPTIONS: Readonly<Record<OnBusy, LockOptions>> = {
  fail: { ifAvailable: true },
  wait: {},
  steal: { steal: true },
};

export function holdName(name: string, onBusy: OnBusy): Promise<WebLock> {
  return new Promise((resolve, reject) => {
    let ours = true;
    let release = () => {};
    const released = new Promise<void>((done) => {
      release = done;
    });
    const request = navigator.locks.request(`parley-store/${name}`, OPTIONS[onBusy], (lock) => {
      if (lock === null) throw messengerError('STORE_BUSY', { params: { location: name } });
      resolve({ isOurs: () => ours, release });
      return released;
    });
    // Ends with an AbortError when someone steals it.
    request.catch((error: unknown) => {
      ours = false;
      reject(error);
    });
  });
}
