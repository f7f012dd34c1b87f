/** Returns the calls per second with `atOnce` calls under way at any time. */
export async function rateOf(call: () => Promise<unknown>, count: number, atOnce: number): Promise<number> {
  let left = count;
  const start = performance.now();
  const work = async () => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return count / ((performance.now() - start) / 1_000);
}

/** Returns the milliseconds that each call takes, one after the other. */
export async function timesOf(call: () => Promise<unknown>, count: number): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const start = performance.now();
    await call();
    times.push(performance.now() - start);
  }
  return times;
}
