import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../files.mjs';
import { FOLLOWED, followPage } from '../guides/pages.mjs';
import { createReader } from '../guides/reader.mjs';
import { checkTypes, runPrograms, writePrograms } from './consumers.mjs';
import { checkContents, checkFiles } from './contents.mjs';
import { installInto, registryEnvironment } from './install.mjs';
import { checkLicences } from './licences.mjs';
import { lintPackage } from './lint.mjs';
import { packAll } from './pack.mjs';
import { listPublished } from './published.mjs';
import { startRegistry } from './registry.mjs';
import { checkSizes, measure } from './sizes.mjs';

// One file, because all of it needs what was packed, and an installation of it.

const temporary = realpathSync(mkdtempSync(join(tmpdir(), 'parley-packages-')));
const folder = join(temporary, 'consumer');
const NAMES = listPublished(ROOT).map(({ name }) => name);
let packages;
let npm;
let reader;

beforeAll(async () => {
  const tarballs = await packAll({ root: ROOT, out: join(temporary, 'tarballs') });
  packages = [...tarballs.values()];
  const registry = await startRegistry({ root: ROOT, tarballs });
  mkdirSync(folder);
  try {
    npm = await registryEnvironment(registry.url);
    await installInto({ folder, names: [...tarballs.keys()], env: npm });
  } finally {
    await registry.close();
  }
});
afterAll(async () => {
  await reader?.close();
  rmSync(temporary, { recursive: true, force: true });
});

describe('PK-1 what is published', () => {
  test('PK-1 is everything that people install, and what that stands on, all of one version', () => {
    const libraries = ['agent', 'base', 'bundles', 'cli', 'client', 'documents', 'e2ee', 'guarded-fetch'];
    const expected = [...libraries, 'messenger', 'protocol', 'skills'].map((name) => `@parley/${name}`);
    expect(NAMES.filter((name) => name !== 'create-parley-agent').sort()).toEqual(expected);
    expect(new Set(packages.map(({ version }) => version)).size).toBe(1);
  });

  test('PK-1 holds what it names, README and licence, no test, no build record, and wants provenance', () => {
    expect(packages.flatMap(checkContents)).toEqual([]);
  });

  test('PK-1 names no path of the machine that built it, and depends on nothing that it does not use', () => {
    expect(packages.flatMap((packed) => checkFiles(packed, { folder, root: ROOT }))).toEqual([]);
  });

  test('PK-1 stays within its budget of size', () => {
    expect(checkSizes(measure(packages, folder))).toEqual([]);
  });

  test('PK-1 needs nothing whose licence is not on our list, and brings the licences of what it bundles', () => {
    expect(checkLicences(folder)).toEqual([]);
    const cli = packages.find(({ name }) => name === '@parley/cli');
    expect(cli.files).toContain('dist/THIRD-PARTY-LICENSES.txt');
  });
});

describe('PK-2 types and entries', () => {
  test.each(NAMES)('PK-2 publint and attw find nothing in %s', async (name) => {
    expect(await lintPackage(packages.find((packed) => packed.name === name))).toEqual([]);
  });

  test('PK-2 every entry, and every program of the guides, type-checks: nodenext and bundler, strict, with all libraries', async () => {
    writePrograms({ folder, packages, root: ROOT });
    // The other two pairs are for `npm run packages`: the compiler takes seconds for each.
    expect(await checkTypes({ folder, root: ROOT, kinds: /node-nodenext|web-bundler/ })).toEqual([]);
  });

  test('PK-2 every entry loads in plain JavaScript, and works', async () => {
    expect(await runPrograms({ folder })).toEqual([]);
  });
});

describe('PK-3 HS-16 the guides', () => {
  beforeAll(async () => {
    reader = await createReader({ clone: ROOT, temporary, npm, packed: folder });
  });

  test.each(FOLLOWED)('PK-3 HS-16 %s can be followed word for word', { timeout: 180_000 }, async (path) => {
    await followPage(reader, path);
  });
});
