import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { findParleyHome } from './parley-home.ts';

test('PK-4 what a person keeps is in ~/.parley, or where PARLEY_HOME says', () => {
  expect(findParleyHome({})).toBe(join(homedir(), '.parley'));
  expect(findParleyHome({ PARLEY_HOME: '' })).toBe(join(homedir(), '.parley'));
  expect(findParleyHome({ PARLEY_HOME: 'there' })).toBe(resolve('there'));
});
