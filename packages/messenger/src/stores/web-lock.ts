import { messengerError } from '../errors.ts';

/** One of several tabs holds a name; the browser releases it when the tab is closed or dies. */
export interface WebLock {
  isOurs(): boolean;
  release(): void;
}

/**
 * If another tab has it: `fail` with STORE_BUSY, `wait` until that tab is closed, or `steal` it; the other tab is
 * told, and gets STORE_LOST at its next write.
 */
export type OnBusy = 'fail' | 'wait' | 'steal';

const OPTIONS: Readonly<Record<OnBusy, LockOptions>> = {
  fail: { ifAvailable: true },
  wait: {},
  steal: { steal: true },
};

/** `onLost` is called when another tab has stolen the name, at once and not only at the next write. */
export function holdName(name: string, onBusy: OnBusy, onLost: () => void = () => {}): Promise<WebLock> {
  return new Promise((resolve, reject) => {
    let ours = true;
    let held = false;
    let release = () => {};
    const released = new Promise<void>((done) => {
      release = done;
    });
    const request = navigator.locks.request(`parley-store/${name}`, OPTIONS[onBusy], (lock) => {
      if (lock === null) throw messengerError('STORE_BUSY', { params: { location: name } });
      held = true;
      resolve({ isOurs: () => ours, release });
      return released;
    });
    // It rejects with an AbortError when another tab steals the lock.
    request.catch((error: unknown) => {
      ours = false;
      if (held) onLost();
      else reject(error);
    });
  });
}
