import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { chooseOrder, SLOW, SlowFirst } from './slow-first.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));

describe('HS-13 the order of test files', () => {
  test('HS-13 the slowest begin first, whatever their size; the others keep their order', async () => {
    const cache = { getFileTestResults: () => undefined, getFileStats: () => ({ size: 1 }) };
    const sequencer = new SlowFirst({ config: { root, sequence: {} }, cache });
    const [first, second] = SLOW;
    const [parts, served] = [0, 1].map((groupOrder) => ({
      name: `${groupOrder}`,
      config: { sequence: { groupOrder } },
    }));
    const files = [
      [served, SLOW[2]],
      [parts, 'a.test.ts'],
      [parts, second],
      [served, 'c.test.ts'],
      [parts, 'b.test.ts'],
      [parts, first],
    ].map(([project, path]) => ({ moduleId: join(root, path), project }));
    const sorted = await sequencer.sort(files);
    expect(sorted.map(({ moduleId }) => moduleId)).toEqual(
      [first, second, 'a.test.ts', 'b.test.ts', SLOW[2], 'c.test.ts'].map((path) => join(root, path)),
    );
  });

  test('HS-13 an order that is asked for by chance is not sorted', () => {
    expect(chooseOrder(['run', '--sequence.shuffle.files', '--sequence.seed=1'])).toEqual({});
    expect(chooseOrder(['run'])).toEqual({ sequencer: SlowFirst });
  });

  test('HS-13 all of the slowest are there', () => {
    expect(SLOW.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
