import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './files.mjs';

const read = (path) => readFileSync(join(ROOT, path), 'utf8');
const ROOMS = ['packages', 'apps'].flatMap((folder) =>
  readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`),
);
const page = read('docs/architecture.md');
const cellsOf = (line) =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
const codesIn = (text) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code);

describe('HS-23 docs/architecture.md', () => {
  it('HS-23 names only files and folders that exist', () => {
    const paths = codesIn(page).filter((code) =>
      /^(packages|apps|scripts|docs|bench|examples|vectors)\/[^ *…]*$/.test(code),
    );
    expect(paths.length).toBeGreaterThan(100);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it('HS-23 a file that is said to implement a rule cites it', () => {
    const rows = page
      .split('\n')
      .filter((line) => /^\| [A-Z]{2}-\d+/.test(line))
      .map(cellsOf);
    expect(rows.length).toBeGreaterThan(60);
    const silent = rows.flatMap(([rules, , files]) =>
      rules.split(', ').filter((rule) => !codesIn(files).some((file) => new RegExp(`\\b${rule}\\b`).test(read(file)))),
    );
    expect(silent).toEqual([]);
  });
});

describe('HS-23 the README of each package and app', () => {
  it.each(ROOMS)('HS-23 %s: what it is, what may enter, three files to read first', (room) => {
    const readme = read(`${room}/README.md`);
    const { name } = JSON.parse(read(`${room}/package.json`));
    expect(readme.startsWith(`# ${name}\n`)).toBe(true);
    const first = /^Read first:.*?(?=\n\n|$(?!\n))/ms.exec(readme)?.[0] ?? expect.fail(`it has no line "Read first:"`);
    const files = codesIn(first).filter((code) => code.startsWith('src/') || code.startsWith('bin/'));
    expect(files).toHaveLength(3);
    expect(files.filter((file) => !existsSync(join(ROOT, room, file)))).toEqual([]);
    expect(readme.split('\n').length).toBeLessThan(45);
  });
});
