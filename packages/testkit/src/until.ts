// These are saved before a test fakes them.
const { setTimeout, clearTimeout, performance } = globalThis;

const LIMIT_MS = 60_000;
const INTERVAL_MS = { min: 10, max: 250 };

interface Limit {
  readonly limitMs?: number;
}

/**
 * Repeats a check until it neither throws nor returns false, and returns its result. The limit is a safety net: a wait
 * that succeeds costs nothing, and on a busy machine everything takes longer.
 */
export async function until<Result>(
  check: () => Result | Promise<Result>,
  { limitMs = LIMIT_MS }: Limit = {},
): Promise<Result> {
  for (const start = performance.now(); ; ) {
    try {
      const result = await check();
      if (result !== false) return result;
      throw new Error(`false: ${check}`);
    } catch (error) {
      if (performance.now() - start > limitMs) {
        const reason = error instanceof Error ? error.message : String(error);
        throw new Error(`still not so after ${limitMs} ms: ${reason}`, { cause: error });
      }
    }
    // The pauses grow: a check that asks a server must not exceed its rate limit.
    const pause = Math.min(INTERVAL_MS.max, Math.max(INTERVAL_MS.min, (performance.now() - start) / 10));
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** Waits for a promise. If it does not settle in time, the failure says what there was instead. */
export async function inTime<Result>(
  promise: Promise<Result>,
  describe: () => string,
  { limitMs = LIMIT_MS }: Limit = {},
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${limitMs} ms; instead: ${describe()}`)), limitMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
