import { expect, test } from 'vitest';
import { makePairs } from './fuzz/pairs.ts';
import { createRandom } from './random.ts';

test('DF-21 the same seed gives the same numbers and the same schemas, another seed others', () => {
  const numbers = (...seed: number[]) => Array.from({ length: 5 }, createRandom(...seed).next);
  expect(numbers(1, 2)).toEqual(numbers(1, 2));
  expect(numbers(1, 2)).not.toEqual(numbers(2, 1));
  expect(numbers(1)).not.toEqual(numbers(2));
  expect(makePairs(createRandom(3))).toEqual(makePairs(createRandom(3)));
});

test('DF-21 numbers are spread evenly over their range', () => {
  const random = createRandom(4);
  const counts = Array<number>(8).fill(0);
  for (let left = 8_000; left > 0; left--) counts[random.between(0, 7)]!++;
  expect(Math.min(...counts)).toBeGreaterThan(900);
  expect(Math.max(...counts)).toBeLessThan(1_100);
});
