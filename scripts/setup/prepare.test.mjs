import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { checkNode, prepare } from '../setup.mjs';
import { createProject } from './fixture.mjs';

const QUIET = { quiet: true };
let project;

beforeEach(() => {
  project = createProject();
  vi.stubEnv('npm_execpath', project.npm);
  vi.stubEnv('CI', '');
});

afterEach(() => {
  vi.unstubAllEnvs();
  project.remove();
});

test('HS-8 a clean clone is installed and built, and a second start does neither', async () => {
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual(['npm ci', 'tsc']);
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual([]);
});

test('HS-8 one progress line each for installing and building', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  await prepare(project.root);
  const lines = said.mock.calls.map(([line]) => line);
  said.mockRestore();
  expect(lines).toEqual([expect.stringMatching(/^Installing /), expect.stringMatching(/^Building /)]);
});

test('HS-8 a changed lock file is installed again, a changed package.json too', async () => {
  await prepare(project.root, QUIET);
  project.calls();
  project.write('package-lock.json', {
    packages: {
      '': { devDependencies: { tool: '1.0.0' } },
      'packages/one': {},
      'node_modules/tool': { version: '1.0.1' },
    },
  });
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual(['npm ci', 'tsc']);
  project.write('packages/one/package.json', { name: 'one', dependencies: { other: '2.0.0' } });
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual(['npm install', 'tsc']);
});

test('HS-8 in CI a lock file that does not fit is npm ci’s to refuse, never rewritten', async () => {
  vi.stubEnv('CI', 'true');
  project.write('packages/one/package.json', { name: 'one', dependencies: { other: '2.0.0' } });
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual(['npm ci', 'tsc']);
});

test('HS-8 a lock file without the packages of other platforms is installed from, and left as it is', async () => {
  const tool = { version: '1.0.0', optionalDependencies: { 'tool-for-elsewhere': '1.0.0' } };
  const packages = { '': { devDependencies: { tool: '1.0.0' } }, 'packages/one': {}, 'node_modules/tool': tool };
  project.write('package-lock.json', { packages });
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual(['npm install --no-save', 'tsc']);
  project.write('package-lock.json', {
    packages: { ...packages, 'node_modules/tool-for-elsewhere': { optional: true } },
  });
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual(['npm ci', 'tsc']);
});

test('HS-8 an installation that was killed half-way is done again', async () => {
  project.write('npm-mode', 'killed');
  await expect(prepare(project.root, QUIET)).rejects.toMatchObject({ exitCode: 3 });
  project.calls();
  project.write('npm-mode', '');
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual(['npm ci', 'tsc']);
});

test('HS-8 without a network npm’s own words are passed on, with what to do, and the exit code is 3', async () => {
  project.write('npm-mode', 'offline');
  const failure = await prepare(project.root, QUIET).catch((error) => error);
  expect(failure.exitCode).toBe(3);
  expect(failure.message).toContain('npm error code ENOTFOUND');
  expect(failure.message).toContain('npm ci --offline');
});

test('HS-8 an installation made with npm by hand is taken as it is', async () => {
  await promisify(execFile)(process.execPath, [project.npm, 'ci', '--include=dev'], { cwd: project.root });
  project.calls();
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual(['tsc']);
});

test('HS-8 an installation by hand of other versions than the lock file’s is not taken', async () => {
  await promisify(execFile)(process.execPath, [project.npm, 'ci', '--include=dev'], { cwd: project.root });
  project.write('node_modules/.package-lock.json', { packages: { 'node_modules/tool': { version: '0.9.0' } } });
  project.calls();
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual(['npm ci', 'tsc']);
});

test('HS-8 an edited source is built again, an edited test is not', async () => {
  await prepare(project.root, QUIET);
  project.calls();
  project.write('packages/one/src/index.test.ts', 'export {};');
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual([]);
  project.write('packages/one/src/index.ts', 'export const one = 1;');
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual(['tsc']);
});

test('HS-8 a missing dist is built again', async () => {
  await prepare(project.root, QUIET);
  project.calls();
  rmSync(join(project.root, 'packages/one/dist'), { recursive: true });
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual(['tsc']);
});

test('HS-8 HS-15 a program is bundled after it is compiled, and again where it is missing', async () => {
  await prepare(project.root, QUIET);
  project.write('packages/one/rolldown.config.ts', '');
  project.write(
    'node_modules/rolldown/bin/cli.mjs',
    `import { appendFileSync, mkdirSync } from 'node:fs';
    appendFileSync('../../calls.log', 'rolldown\\n');
    for (const name of ['program', 'server']) mkdirSync('dist/' + name, { recursive: true });`,
  );
  project.calls();
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual(['tsc', 'rolldown']);
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual([]);
  for (const output of ['packages/one/dist/program', 'packages/one/dist/server']) {
    rmSync(join(project.root, output), { recursive: true });
    await prepare(project.root, QUIET);
    expect(project.calls()).toEqual(['tsc', 'rolldown']);
  }
});

test('PK-4 an edited example is built again, because the program brings it', async () => {
  await prepare(project.root, QUIET);
  project.calls();
  project.write('examples/skills/one.mjs', 'export {};');
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual(['tsc']);
});

test('HS-8 an edit that was built by hand and undone is built again', async () => {
  await prepare(project.root, QUIET);
  project.write('packages/one/src/index.ts', 'export const one = 1;');
  await promisify(execFile)(process.execPath, [join(project.root, 'tsc.js')], { cwd: project.root });
  project.write('packages/one/src/index.ts', 'export {};');
  project.calls();
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual(['tsc']);
});

test('HS-8 a build that failed is not taken for done when the edit is undone', async () => {
  await prepare(project.root, QUIET);
  project.write('packages/one/src/index.ts', 'wrong');
  const failure = await prepare(project.root, QUIET).catch((error) => error);
  expect(failure.exitCode).toBe(1);
  expect(failure.message).toContain('error TS0000');
  project.write('packages/one/src/index.ts', 'export {};');
  project.calls();
  await prepare(project.root, QUIET);
  expect(project.calls()).toEqual(['tsc']);
});

test('HS-8 two processes at once install once', async () => {
  const setup = new URL('../setup.mjs', import.meta.url).href;
  const script = `const { prepare } = await import(${JSON.stringify(setup)}); await prepare(process.argv[1]);`;
  const start = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, project.root]);
  await Promise.all([start(), start(), start()]);
  expect(project.calls()).toEqual(['npm ci', 'tsc']);
});

test('HS-8 an old Node.js is told which one is needed, with exit code 3', () => {
  for (const version of ['18.20.4', '20.18.3']) {
    expect(() => checkNode(version)).toThrow(
      expect.objectContaining({ exitCode: 3, message: expect.stringContaining('20.19') }),
    );
  }
  for (const version of ['20.19.0', '22.0.0', '24.1.0']) expect(() => checkNode(version)).not.toThrow();
});
