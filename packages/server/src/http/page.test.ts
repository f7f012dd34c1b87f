import { expect, test } from 'vitest';
import { takePage } from './page.ts';

test.each([
  [[], { rows: [], last: undefined }],
  [[1, 2], { rows: [1, 2], last: undefined }],
  [[1, 2, 3], { rows: [1, 2], last: 2 }],
])('RL-5 a page of two from %j', (rows, page) => {
  expect(takePage(rows, 2)).toEqual(page);
});
