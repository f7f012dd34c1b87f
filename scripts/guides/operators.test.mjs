import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { wordsFor } from '../../apps/cli/src/messages/index.ts';
import { createProgram } from '../../apps/cli/src/program.ts';
import { BUDGETS } from '../../packages/protocol/src/budgets.ts';
import { ROOT } from '../files.mjs';
import { readPage, twinOf } from './pages.mjs';

const GUIDE = 'docs/guides/operators.md';
const PAGES = [GUIDE, twinOf(GUIDE)];
const KIB = 1_024;

/** As the guide writes it. */
function formatDefault({ unit, default: value }) {
  if (unit !== 'bytes') return value.toLocaleString('en');
  return value >= KIB ** 3 ? `${value / KIB ** 3} GiB` : `${value / KIB ** 2} MiB`;
}

describe.each(PAGES)('HS-16 %s', (path) => {
  const page = readPage(path);

  test.each(Object.entries(BUDGETS))('OP-1 names the budget %s with its default', (name, budget) => {
    const row = page.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
    expect(row).toBeDefined();
    const value = row.split('|')[2].trim();
    expect(value.split(/[，,] ?(?=\D)/)[0]).toBe(formatDefault(budget));
  });

  test('OP-14 every figure that it names is one of the server’s', () => {
    const source = readFileSync(join(ROOT, 'packages/server/src/metrics.ts'), 'utf8');
    const figures = [...new Set(page.match(/\bparley_[a-z_]+/g))];
    expect(figures.length).toBeGreaterThan(5);
    expect(figures.filter((name) => !source.includes(`'${name}'`))).toEqual([]);
  });

  test('OP-15 every command of parley admin is in it', () => {
    const surroundings = { words: wordsFor('en'), paint: (_, text) => text, settle: () => {}, collect: () => {} };
    const admin = createProgram(surroundings).commands.find((command) => command.name() === 'admin');
    const names = admin.commands.map((command) => command.name()).filter((name) => name !== 'help');
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !page.includes(`parley admin ${name}`))).toEqual([]);
  });
});
