import { execFile } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { startRegistry } from '../packages/registry.mjs';
import { addSection, renderSection } from './changelog.mjs';
import { createRepository } from './fixture.mjs';
import { release } from './release.mjs';

let repository;
let registry;

async function open() {
  repository = createRepository();
  registry = await startRegistry({ root: repository.root, upstream: 'http://127.0.0.1:9' });
}

async function close() {
  await registry.close();
  repository.remove();
}

/** As `npm login` does, in a file of the test's own. */
function logIn(token, registryForAll) {
  const settings = join(repository.root, '..', 'npmrc');
  const lines = token === undefined ? [] : [`//${new URL(registry.url).host}/:_authToken=${token}`];
  if (registryForAll !== undefined) lines.push(`registry=${registryForAll}`);
  writeFileSync(settings, `${lines.join('\n')}\n`);
  vi.stubEnv('npm_config_userconfig', settings);
}

/** What it says, and how it ends. */
async function run(options) {
  const lines = [];
  const code = await release(repository.root, options, (line) => lines.push(line));
  return { code, text: lines.join('\n') };
}

const state = () => [
  repository.git('rev-parse', 'HEAD'),
  repository.git('tag'),
  repository.git('status', '--porcelain'),
];

describe('PK-8 what is missing', () => {
  beforeAll(open);
  afterAll(close);

  test('PK-8 without provenance nothing is published where everybody finds it', async () => {
    const { code, text } = await run({ publish: 'tarballs' });
    expect(code).toBe(1);
    expect(text).toContain('has no tag v0.1.0');
    expect(text).toContain('Provenance needs');
  });

  test('PK-8 all that is missing is said at once, and nothing is changed', async () => {
    repository.write('package.json', { ...JSON.parse(repository.read('package.json')), repository: undefined });
    repository.write('packages/two/package.json', { name: '@parley/two', version: '0.1.0' });
    repository.write('CHANGELOG.md', '# Changelog\n');
    repository.git('rm', '--quiet', 'LICENSE');
    repository.commit('fix: too much is gone');
    repository.git('switch', '--quiet', '--create', 'aside');
    repository.write('draft.txt', 'not committed');
    const before = state();
    const { code, text } = await run({});
    expect(code).toBe(1);
    for (const missing of [
      'made on main, and this is aside',
      'The work tree has changes',
      'There is no remote repository',
      'Nothing says what changed',
      'LICENSE is not there',
      'no `repository`',
      'no section [Unreleased]',
      'packages/two/package.json: `license` is not Apache-2.0',
      'packages/two/package.json: `publishConfig` lacks',
      '.github/workflows/release.yml does not publish',
    ])
      expect(text).toContain(missing);
    expect(state()).toEqual(before);
  });
});

/** One after the other, in one repository: each step of a release takes npm some seconds. */
describe('PK-8 a release', () => {
  beforeAll(open);
  beforeEach(() => logIn('token'));
  afterAll(close);

  test('PK-8 is refused where nobody is logged in, and where a check fails, and leaves everything as it was', async () => {
    repository.describe('new', 'minor', 'Something new.\n\nAnd how.');
    repository.describe('repaired', 'patch', 'Something repaired.');
    repository.write('broken', '');
    repository.commit('feat: something that does not work');
    const before = state();
    logIn(undefined);
    expect((await run({ registry: registry.url })).text).toContain('You are not logged in there');
    logIn('token');
    const { code, text } = await run({ registry: registry.url });
    expect(code).toBe(1);
    expect(text).toContain('`npm run verify` fails on v0.2.0.');
    expect(state()).toEqual(before);
    expect(registry.published).toEqual([]);
    repository.git('rm', '--quiet', 'broken');
    repository.commit('fix: it works');
  });

  test('PK-8 interrupted while it publishes, goes on where it was, with what has passed', async () => {
    registry.refuse = '@parley/one';
    const first = await run({ registry: registry.url });
    expect(first.code).toBe(1);
    expect(first.text).toContain('@parley/two@0.2.0 is published.');
    expect(first.text).toContain('@parley/one was refused');
    registry.refuse = undefined;
    const second = await run({ registry: registry.url });
    expect(second.text).toContain('v0.2.0 has passed every check');
    expect(second.text).toContain('@parley/two@0.2.0 is there already.');
    expect(second.text).toContain('@parley/one@0.2.0 is published.');
    expect(second.code).toBe(0);
    expect(registry.published).toEqual([
      { name: '@parley/two', version: '0.2.0' },
      { name: '@parley/one', version: '0.2.0' },
    ]);
  });

  test('PK-8 sets every version and the changelog, in one commit with a tag', () => {
    const { version, dependencies, repository: place } = JSON.parse(repository.read('packages/one/package.json'));
    expect({ version, dependencies }).toEqual({ version: '0.2.0', dependencies: { '@parley/two': '0.2.0' } });
    expect(place).toEqual({ type: 'git', url: 'git+https://example.org/small.git', directory: 'packages/one' });
    for (const path of ['package.json', 'packages/three/package.json', 'package-lock.json'])
      expect(JSON.parse(repository.read(path)).version).toBe('0.2.0');
    expect(repository.read('CHANGELOG.md')).toMatch(
      /In \.changeset\.\n\n## \[0\.2\.0\] - [\d-]+\n\n### Added and changed\n\n- Something new\.\n\n {2}And how\.\n\n### Fixed\n\n- Something repaired\.\n\n## \[0\.1\.0\]/,
    );
    expect(repository.read('docs/guides/ci.md')).toBe('npx --yes @parley/cli@0.2.0 manifest validate\n');
    expect(existsSync(join(repository.root, '.changeset/new.md'))).toBe(false);
    expect(repository.git('log', '-1', '--format=%s %D')).toBe('release: v0.2.0 HEAD -> main, tag: v0.2.0');
    expect(repository.git('worktree', 'list').split('\n')).toHaveLength(1);
  });

  test('PK-8 of a version that is taken, or whose tag is, is refused before anything is changed', async () => {
    repository.git('reset', '--quiet', '--hard', 'HEAD~1');
    const before = state();
    const { code, text } = await run({ check: true, registry: registry.url });
    expect(code).toBe(1);
    expect(text).toContain('@parley/one@0.2.0 is published already');
    expect(text).toContain('The tag v0.2.0 exists, of another commit');
    expect(state()).toEqual(before);
  });
});

describe('PK-8 a release for everybody', () => {
  const origin = () => join(repository.root, '..', 'origin.git');
  const remote = (...args) => repository.git('--git-dir', origin(), ...args);
  beforeAll(async () => {
    await open();
    repository.git('init', '--quiet', '--bare', '--initial-branch', 'main', origin());
    repository.git('remote', 'add', 'origin', origin());
    repository.write('.github/workflows/release.yml', 'id-token: write\nnode scripts/release.mjs --publish tarballs\n');
    repository.describe('new', 'minor', 'Something new.');
    repository.commit('feat: something new');
    repository.git('push', '--quiet', '--set-upstream', 'origin', 'main');
    // A version of each is there, as npm wants it before it trusts a workflow.
    for (const name of ['one', 'two']) await publishFirst(name);
  });
  beforeEach(() => logIn('token', registry.url));
  afterAll(close);

  async function publishFirst(name) {
    logIn('token', registry.url);
    const args = ['publish', '--provenance=false', '--workspace', `packages/${name}`];
    await promisify(execFile)('npm', args, { cwd: repository.root });
  }

  test('PK-8 goes on after a push that failed, not on another branch, and is published by the workflow alone', async () => {
    // Somebody has the same tag already.
    remote('tag', 'v0.2.0', 'main~1');
    expect((await run({ check: true })).text).toContain('The tag v0.2.0 exists at origin');
    remote('tag', '--delete', 'v0.2.0');
    writeFileSync(join(origin(), 'hooks', 'pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    expect((await run({})).code).toBe(1);
    expect(repository.git('log', '-1', '--format=%s')).toBe('release: v0.2.0');
    rmSync(join(origin(), 'hooks', 'pre-receive'));
    repository.git('switch', '--quiet', '--create', 'aside');
    expect((await run({})).text).toContain('made on main, and this is aside');
    expect(remote('tag')).toBe('');
    repository.git('switch', '--quiet', 'main');
    const { code, text } = await run({});
    expect(text).toContain('Pushed v0.2.0. The workflow "release" publishes it.');
    expect(code).toBe(0);
    expect(remote('log', '-1', '--format=%s %D', 'main')).toBe('release: v0.2.0 HEAD -> main, tag: v0.2.0');
    expect(registry.published.filter(({ version }) => version === '0.2.0')).toEqual([]);
    expect((await run({})).text).toContain('Nothing says what changed');
  });

  test('PK-8 attack: a commit that calls itself a release is not taken for one that has passed', async () => {
    repository.git('switch', '--quiet', 'aside');
    repository.write('package.json', { ...JSON.parse(repository.read('package.json')), version: '0.3.0' });
    repository.commit('release: v0.3.0');
    const { code, text } = await run({});
    expect(code).toBe(1);
    expect(text).toContain('made on main, and this is aside');
    expect(text).toContain('Nothing says what changed');
    expect(remote('tag')).toBe('v0.2.0');
  });

  test('PK-8 attack: a tag on a commit that is not part of main is not published', async () => {
    repository.git('tag', 'v0.3.0');
    vi.stubEnv('ACTIONS_ID_TOKEN_REQUEST_URL', 'http://127.0.0.1:9');
    const { code, text } = await run({ publish: 'tarballs' });
    expect(code).toBe(1);
    expect(text).toContain('This commit is not part of main at origin.');
    expect(text).not.toContain('has no tag');
  });
});

test('PK-8 a registry that is npm’s own is not one’s own', async () => {
  await open();
  expect((await run({ check: true, registry: 'https://registry.npmjs.org/' })).text).toContain('of your own');
  expect((await run({ check: true, registry: 'nonsense' })).text).toContain('not the address of a registry');
  await close();
});

test('PK-8 what breaks comes first in the changelog, and a changelog without its place is refused', () => {
  const section = renderSection('1.0.0', '2026-01-02', [
    { summary: 'Small.', releases: [{ type: 'patch' }] },
    { summary: 'Large.', releases: [{ type: 'patch' }, { type: 'major' }] },
  ]);
  expect(section).toBe('## [1.0.0] - 2026-01-02\n\n### Breaking\n\n- Large.\n\n### Fixed\n\n- Small.\n');
  expect(() => addSection('# Changelog\n', section)).toThrow('[Unreleased]');
});
