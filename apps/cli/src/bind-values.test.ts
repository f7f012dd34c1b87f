import { Command } from 'commander';
import { expect, it } from 'vitest';
import { bindValues } from './bind-values.ts';

const program = new Command().option('--json');
program.command('verify').option('--key <key>').option('--force');

it.each([
  [
    ['verify', '--key', '-Vabc'],
    ['verify', '--key=-Vabc'],
  ],
  [
    ['verify', '--key', '-h'],
    ['verify', '--key=-h'],
  ],
  [
    ['verify', '--key', 'abc', '--json'],
    ['verify', '--key', 'abc', '--json'],
  ],
  [
    ['verify', '--force', '-V'],
    ['verify', '--force', '-V'],
  ],
  [
    ['verify', '--key', '--json'],
    ['verify', '--key', '--json'],
  ],
  [
    ['verify', '--', '--key', '-V'],
    ['verify', '--', '--key', '-V'],
  ],
  [
    ['verify', '--key'],
    ['verify', '--key'],
  ],
])('HS-7 a value that begins with a dash belongs to its option: %j', (argv, bound) => {
  expect(bindValues(program, argv)).toEqual(bound);
});
