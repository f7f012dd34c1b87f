import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../setup/run.mjs';
import { checkContents } from './contents.mjs';
import { registryEnvironment } from './install.mjs';
import { isAllowed } from './licences.mjs';
import { readLocked, startRegistry } from './registry.mjs';
import { checkSizes } from './sizes.mjs';

const LOCK = {
  packages: {
    '': { name: 'root' },
    'packages/ours': { name: '@parley/ours', version: '1.0.0' },
    'node_modules/@parley/ours': { resolved: 'packages/ours', link: true },
    'node_modules/one': { version: '2.0.0', integrity: 'sha512-a', dependencies: { two: '^1' }, dev: true },
    'node_modules/one/node_modules/two': { version: '1.10.0', integrity: 'sha512-b', os: ['linux'] },
    'node_modules/two': {
      version: '1.9.0',
      integrity: 'sha512-c',
      hasInstallScript: true,
      optionalDependencies: { 'two-for-another-platform': '1.9.0' },
    },
    'node_modules/three': { version: '1.0.0', integrity: 'sha512-ZZZZ' },
    'node_modules/alias': { name: 'real', version: '3.0.0', integrity: 'sha512-d' },
  },
};

describe('PK-1 the registry of the tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-registry-'));
  let registry;
  const get = (path) => fetch(`${registry.url}${path}`, { redirect: 'manual' });
  beforeAll(async () => {
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(LOCK));
    const bytes = Buffer.from('a tarball');
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    writeFileSync(join(folder, 'ours.tgz'), bytes);
    const manifest = { name: '@parley/ours', version: '1.0.0' };
    const tarballs = new Map([['@parley/ours', { manifest, integrity, file: join(folder, 'ours.tgz') }]]);
    registry = await startRegistry({ root: folder, tarballs, upstream: 'https://registry.example', cache: folder });
  });
  afterAll(async () => {
    await registry.close();
    rmSync(folder, { recursive: true });
  });

  test('PK-1 knows every version that the lock file pins, under its real name', () => {
    const locked = readLocked(LOCK);
    expect([...locked].map(([name, versions]) => [name, [...versions.keys()]])).toEqual([
      ['one', ['2.0.0']],
      ['two', ['1.10.0', '1.9.0']],
      ['three', ['1.0.0']],
      ['real', ['3.0.0']],
    ]);
    expect(locked.get('one').get('2.0.0').manifest).toEqual({
      name: 'one',
      version: '2.0.0',
      dependencies: { two: '^1' },
    });
  });

  test('PK-1 describes a package as npm expects it, the newest version as the latest', async () => {
    const described = await (await get('/two')).json();
    expect(described).toMatchObject({
      name: 'two',
      'dist-tags': { latest: '1.10.0' },
      versions: { '1.9.0': { hasInstallScript: true, dist: { integrity: 'sha512-c' } }, '1.10.0': { os: ['linux'] } },
    });
  });

  test('PK-1 has our tarballs, and sends npm elsewhere for those of others, never for ours', async () => {
    const { versions } = await (await get('/@parley%2fours')).json();
    expect(await (await fetch(versions['1.0.0'].dist.tarball)).text()).toBe('a tarball');
    const other = await get('/two/-/two-1.9.0.tgz');
    expect([other.status, other.headers.get('location')]).toEqual([
      307,
      'https://registry.example/two/-/two-1.9.0.tgz',
    ]);
    expect((await get('/unknown')).status).toBe(307);
    expect((await get('/@parley%2funknown')).status).toBe(404);
  });

  test('PK-1 asks nobody for what the lock file leaves out, and packs what is only installed', async () => {
    expect((await get('/two-for-another-platform')).status).toBe(404);
    mkdirSync(join(folder, 'node_modules', 'three'), { recursive: true });
    writeFileSync(join(folder, 'node_modules', 'three', 'package.json'), '{}');
    const { dist } = (await (await get('/three')).json()).versions['1.0.0'];
    const tarball = Buffer.from(await (await fetch(dist.tarball)).arrayBuffer());
    expect(dist.integrity).toBe(`sha512-${createHash('sha512').update(tarball).digest('base64')}`);
  });

  test('PK-1 takes a version that is published, once', async () => {
    const project = join(folder, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "name": "@parley/new", "version": "1.0.0" }');
    const env = { ...(await registryEnvironment(registry.url)) };
    writeFileSync(join(project, '.npmrc'), `//${new URL(registry.url).host}/:_authToken=anything\n`);
    const publish = () => run('npm', ['publish', '--access', 'public'], { cwd: project, env });
    expect((await publish()).code).toBe(0);
    expect(registry.published).toEqual([{ name: '@parley/new', version: '1.0.0' }]);
    const { versions } = await (await get('/@parley%2fnew')).json();
    expect(Object.keys(versions)).toEqual(['1.0.0']);
    expect((await publish()).code).not.toBe(0);
  });
});

describe('PK-1 the checks of a package', () => {
  const fine = {
    name: '@parley/ours',
    version: '1.0.0',
    files: ['LICENSE', 'README.md', 'dist/index.d.ts', 'dist/index.js', 'package.json', 'src/index.ts'],
    manifest: {
      license: 'Apache-2.0',
      type: 'module',
      engines: { node: '>=20' },
      files: ['dist', 'src'],
      publishConfig: { access: 'public', provenance: true },
      exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
      dependencies: { '@parley/base': '1.0.0', other: '^2' },
    },
  };

  test('PK-1 find nothing in one that is in order', () => {
    expect(checkContents(fine)).toEqual([]);
  });

  test.each([
    ['a test', { files: [...fine.files, 'src/index.test.ts'] }, 'src/index.test.ts'],
    ['a build record', { files: [...fine.files, 'dist/.tsbuildinfo'] }, '.tsbuildinfo'],
    ['an output of a source that is gone', { files: [...fine.files, 'dist/old.js'] }, 'dist/old.js has no source'],
    ['no licence', { files: fine.files.slice(1) }, 'LICENSE is missing'],
    ['an entry that is not there', { files: fine.files.filter((path) => path !== 'dist/index.js') }, 'is missing'],
    [
      'another version of ours',
      { manifest: { ...fine.manifest, dependencies: { '@parley/base': '^1.0.0' } } },
      'wants',
    ],
    ['no provenance', { manifest: { ...fine.manifest, publishConfig: { access: 'public' } } }, 'without provenance'],
  ])('PK-1 find %s', (_, changed, words) => {
    expect(checkContents({ ...fine, ...changed }).join('\n')).toContain(words);
  });

  test('PK-1 find what is too large, or has no budget', () => {
    const table = { one: { budget: { packed: 10, unpacked: 20 } } };
    expect(checkSizes({ one: { packed: 10, unpacked: 20 } }, table)).toEqual([]);
    expect(checkSizes({ one: { packed: 11, unpacked: 20 }, two: { packed: 1, unpacked: 1 } }, table)).toEqual([
      'one: 11 KB packed, and its budget is 10 KB',
      'two: it has no budget',
    ]);
  });

  test.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0)', true],
    ['(Apache-2.0 AND BSD-3-Clause)', true],
    ['GPL-3.0', false],
    ['(MIT AND GPL-3.0)', false],
    ['none', false],
  ])('PK-1 know the licences that may come along: %s', (licence, expected) => {
    expect(isAllowed(licence)).toBe(expected);
  });
});
