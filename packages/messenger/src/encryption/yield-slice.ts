/** How long messages are opened or sealed before other work gets its turn. */
const SLICE_MS = 2;

/**
 * Cuts the work on many messages into time slices, so that a page stays usable and finished messages leave meanwhile.
 * Undefined while the slice lasts; then a promise of the next turn of the event loop.
 */
export type YieldSlice = () => Promise<void> | undefined;

export function createYieldSlice(): YieldSlice {
  let began: number | undefined;
  let turn: Promise<void> = Promise.resolve();
  return () => {
    const now = performance.now();
    if (began === undefined) {
      began = now;
      turn = nextTurn().then(() => {
        began = undefined;
      });
    }
    return now - began < SLICE_MS ? undefined : turn;
  };
}

interface Turns {
  readonly setImmediate?: (callback: () => void) => void;
}

/** Resolves after everything else that is due. */
function nextTurn(): Promise<void> {
  const { setImmediate } = globalThis as Turns;
  if (setImmediate !== undefined) return new Promise((resolve) => setImmediate(resolve));
  // workerd may have neither.
  if (globalThis.MessageChannel === undefined) return new Promise((resolve) => setTimeout(resolve, 0));
  // Browsers delay nested timers by several milliseconds, but not messages.
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
