/** Lets one loop sleep until there is news. A notification that comes while nobody waits is not lost. */
export interface WakeSignal {
  notify(): void;
  /** Resolves with true after a notification, with false once the signal has aborted. */
  wait(signal: AbortSignal): Promise<boolean>;
}

export function createWakeSignal(): WakeSignal {
  let isNotified = false;
  let wake = () => {};
  return {
    notify: () => {
      isNotified = true;
      wake();
    },
    wait: async (signal) => {
      if (!isNotified && !signal.aborted) {
        await new Promise<void>((resolve) => {
          wake = resolve;
          signal.addEventListener('abort', wake, { once: true });
        });
        signal.removeEventListener('abort', wake);
      }
      const wasNotified = isNotified;
      isNotified = false;
      return wasNotified && !signal.aborted;
    },
  };
}
