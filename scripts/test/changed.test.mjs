import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listChanged, selectTests } from './changed.mjs';

let root;

const write = (path, content) => {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
};
const git = (...args) => execFileSync('git', args, { cwd: root, stdio: 'ignore' });

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'parley-changed-'));
  const exported = (name, paths) => JSON.stringify({ name, exports: paths });
  write('packages/one/package.json', exported('@parley/one', { '.': { default: './dist/index.js' } }));
  write('packages/one/src/index.ts', `export * from './part.ts';`);
  write('packages/one/src/part.ts', `export const part = 1;`);
  write('packages/one/src/part.test.ts', `import { part } from './part.ts';`);
  write('packages/one/src/other.test.ts', `const file = new URL('../../../vectors/one', import.meta.url);`);
  write('packages/two/package.json', exported('@parley/two', { '.': { default: './dist/index.js' } }));
  write('packages/two/src/index.ts', `export const two = await import('@parley/one');`);
  write('packages/two/tests/two.test.ts', `import '@parley/two';\nconst root = new URL('../../../', import.meta.url);`);
  write('packages/three/src/three.test.ts', `import { readFileSync } from 'node:fs';`);
  write('apps/web/src/main.tsx', `import './screen.tsx';`);
  write('apps/web/src/screen.tsx', `import '@parley/two';`);
  write('apps/web/tests/live/page.test.ts', `const page = 'opens the built pages';`);
  write('vectors/one/a.json', '{}');
  write('docs/guide.md', '');
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const OTHER = 'packages/one/src/other.test.ts';
const PART = 'packages/one/src/part.test.ts';
const TWO = 'packages/two/tests/two.test.ts';
const THREE = 'packages/three/src/three.test.ts';
const PAGE = 'apps/web/tests/live/page.test.ts';

test('HS-13 a change runs the tests that import it, through packages, deferred imports and built pages too', () => {
  expect(selectTests(root, ['packages/one/src/part.ts'])).toEqual([PART, TWO, PAGE]);
  expect(selectTests(root, ['packages/two/src/index.ts'])).toEqual([TWO, PAGE]);
  expect(selectTests(root, ['apps/web/src/screen.tsx'])).toEqual([PAGE]);
  expect(selectTests(root, [THREE])).toEqual([THREE]);
});

test('HS-13 a change of a vector runs the tests that read its folder, and of a text that nobody reads none', () => {
  expect(selectTests(root, ['vectors/one/a.json'])).toEqual([OTHER]);
  expect(selectTests(root, ['vectors/two/a.json', 'docs/guide.md'])).toEqual([]);
});

test('HS-13 a change of what every test stands on runs them all', () => {
  const all = [OTHER, PART, THREE, TWO, PAGE];
  for (const path of ['package-lock.json', 'packages/one/package.json', 'vitest.config.ts', 'scripts/setup/build.mjs'])
    expect(selectTests(root, [path])).toEqual(all);
});

test('HS-13 changed is what was edited, removed, added, or committed since the revision that was named', () => {
  git('init', '-q');
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'one');
  expect(listChanged(root)).toEqual([]);
  write('docs/guide.md', 'more');
  rmSync(join(root, 'vectors/one/a.json'));
  write('packages/one/src/new.ts', '');
  const expected = ['docs/guide.md', 'packages/one/src/new.ts', 'vectors/one/a.json'];
  expect(listChanged(root)).toEqual(expected);
  git('add', '.');
  git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'two');
  expect(listChanged(root)).toEqual([]);
  expect(listChanged(root, 'HEAD~1')).toEqual(expected);
  expect(() => listChanged(root, 'nowhere')).toThrow(/what changed since nowhere/);
});
