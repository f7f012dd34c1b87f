import { expect, it } from 'vitest';
import { createBreath } from './breath.ts';

it('TR-2 whoever works on many messages lets everything else have its turn', async () => {
  const breath = createBreath();
  let others = 0;
  expect(breath()).toBeUndefined();
  setImmediate(() => others++);
  for (const start = performance.now(); performance.now() - start < 5; );
  const pause = breath();
  expect(pause).toBeInstanceOf(Promise);
  await pause;
  expect(breath()).toBeUndefined();
  await new Promise(setImmediate);
  expect(others).toBe(1);
});
