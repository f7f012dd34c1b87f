import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findFiles, ROOT } from '../files.mjs';

/** Package by package, what it would like to have on some platform and the lock file does not list. */
function findUnlisted({ packages }) {
  const listed = new Set(Object.keys(packages).map((path) => path.slice(path.lastIndexOf('node_modules/'))));
  return Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !listed.has(`node_modules/${name}`))
      .map((name) => `${path} → ${name}`),
  );
}

/** What npm could not check after downloading it. What lies in the tarball of another package is checked with that. */
const findUnpinned = ({ packages }) =>
  Object.entries(packages)
    .filter(([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle)
    .filter(([, { integrity }]) => integrity === undefined)
    .map(([path]) => path);

const LOCKS = ['package-lock.json', ...findFiles(ROOT, 'scripts', /^package-lock\.json$/)];

test.each(LOCKS)('PK-9 %s lists what every platform needs, each pinned by its content', (path) => {
  const lock = JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
  expect(Object.keys(lock.packages).length).toBeGreaterThan(1);
  expect(findUnlisted(lock)).toEqual([]);
  expect(findUnpinned(lock)).toEqual([]);
});

test('PK-9 a lock file that was made where other platforms’ packages cannot be had is noticed', () => {
  const tool = { version: '1.0.0', integrity: 'sha512-aaaa', optionalDependencies: { 'tool-for-elsewhere': '1.0.0' } };
  const packages = { '': {}, 'node_modules/tool': tool, 'node_modules/other': { version: '1.0.0' } };
  expect(findUnlisted({ packages })).toEqual(['node_modules/tool → tool-for-elsewhere']);
  expect(findUnpinned({ packages })).toEqual(['node_modules/other']);
});
