import { expect, it, vi } from 'vitest';
import { createYieldSlice } from './yield-slice.ts';

it('TR-2 whoever works on many messages lets everything else have its turn', async () => {
  const yieldSlice = createYieldSlice();
  let others = 0;
  expect(yieldSlice()).toBeUndefined();
  setImmediate(() => others++);
  for (const start = performance.now(); performance.now() - start < 5; );
  const pause = yieldSlice();
  expect(pause).toBeInstanceOf(Promise);
  await pause;
  expect(yieldSlice()).toBeUndefined();
  await new Promise(setImmediate);
  expect(others).toBe(1);
});

it.each([
  ['in a browser', ['setImmediate']],
  ['in workerd', ['setImmediate', 'MessageChannel']],
])('PK-6 the next turn comes %s', async (_, missing) => {
  for (const name of missing) vi.stubGlobal(name, undefined);
  const yieldSlice = createYieldSlice();
  expect(yieldSlice()).toBeUndefined();
  for (const start = performance.now(); performance.now() - start < 5; );
  const pause = yieldSlice();
  expect(pause).toBeInstanceOf(Promise);
  await pause;
  expect(yieldSlice()).toBeUndefined();
});
