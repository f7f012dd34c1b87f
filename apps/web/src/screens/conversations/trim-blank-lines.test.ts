import { expect, it } from 'vitest';
import { trimBlankLines } from './trim-blank-lines.ts';

it.each([
  ['', ''],
  [' \n\t\n', ''],
  ['\n  indented\n\n  too \n \n', '  indented\n\n  too '],
  ['\n'.repeat(100_000), ''],
])('WC-30 %j is sent as %j', (typed, sent) => {
  expect(trimBlankLines(typed)).toBe(sent);
});
