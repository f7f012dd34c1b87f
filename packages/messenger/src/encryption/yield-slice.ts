/** How long messages are opened or sealed in one go. */
const SLICE_MS = 2;

/**
 * Where many messages come at once: so that those that are done leave, and the page can be used, while the rest is still
 * being worked on. Undefined as long as there is time.
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

/** After whatever else is due. */
function nextTurn(): Promise<void> {
  const { setImmediate } = globalThis as Turns;
  if (setImmediate !== undefined) return new Promise((resolve) => setImmediate(resolve));
  // A timer would be slowed down by a browser.
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}
