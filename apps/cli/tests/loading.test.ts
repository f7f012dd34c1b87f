import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runAndWatch } from './loading.ts';
import { BIN, DEMOBOT, ROLEOS, ROOT, run, useBuiltCommand, useFolder } from './run.ts';

useBuiltCommand();
const folder = useFolder();
const BUNDLE = join(ROOT, 'examples/bundles/note-taker');
const SKILL = join(ROOT, 'examples/skills/translate.json');
const env = { HOME: folder.path };

/** What no command needs that only looks at a file. */
const FAR = /node_modules\/(ws|undici|typebox|pg|kysely|fastify|@clack)\/|packages\/(client|agent|server|e2ee)\//;
const DOCUMENTS = /node_modules\/(re2js|@bufbuild|yaml)\/|packages\/documents\/src\/(bundle|skill|capability|schema)\//;

describe('HS-15 a command loads only what it needs', () => {
  test.each([
    [BIN, ['--version']],
    [BIN, ['--help']],
    [BIN, ['chat', '--help']],
    [BIN, ['manifest', 'diff']],
    [BIN, ['completion', 'zsh']],
    [ROLEOS, ['--version']],
    [ROLEOS, ['install', '--help']],
  ])('HS-15 the tree of commands and nothing else: %s %j', async (bin, args) => {
    const { modules, files } = await runAndWatch(bin, args, { env });
    expect(modules.filter((module) => FAR.test(module) || DOCUMENTS.test(module))).toEqual([]);
    expect(files.length).toBeLessThanOrEqual(8);
    expect(modules).toContain('apps/cli/src/base-program.ts');
  });

  test.each([
    [BIN, ['manifest', 'validate', DEMOBOT], /@bufbuild|yaml|documents\/src\/bundle\//],
    [BIN, ['manifest', 'hash', DEMOBOT], /@bufbuild|yaml|documents\/src\/bundle\//],
    [BIN, ['manifest', 'init', '-'], /@bufbuild|yaml|documents\/src\/bundle\//],
    [BIN, ['tour'], /@bufbuild|yaml|documents\/src\/bundle\//],
    [BIN, ['skill', 'validate', SKILL], /@bufbuild|yaml|documents\/src\/bundle\//],
    [BIN, ['bundle', 'validate', BUNDLE], /yaml/],
    [ROLEOS, ['validate', BUNDLE], /yaml/],
    [ROLEOS, ['preview', BUNDLE, '--workspace', folder.path], /yaml/],
    [ROLEOS, ['status', '--workspace', folder.path], /yaml/],
  ])('HS-15 no network and no keys to look at a file: %s %j', async (bin, args, others) => {
    const { code, stderr, modules, files } = await runAndWatch(bin, args, { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(modules.filter((module) => FAR.test(module) || others.test(module))).toEqual([]);
    expect(files.length).toBeLessThanOrEqual(40);
  });

  test('HS-15 whoever talks to a server loads what it takes, and this sees it', async () => {
    const { modules } = await runAndWatch(BIN, ['devices', 'list'], { env });
    expect(modules.filter((module) => /node_modules\/undici\//.test(module))).toEqual([]);
    for (const part of ['client', 'messenger', 'e2ee', 'protocol'])
      expect(modules).toContainEqual(expect.stringMatching(`^packages/${part}/src/`));
    expect(modules).toContainEqual(expect.stringMatching(/^node_modules\/@noble\//));
    // Of typebox only the types are used (PK-5).
    expect(modules.filter((module) => /node_modules\/typebox\//.test(module))).toEqual([]);
  });

  test('HS-15 the state of a server is read without a database', async () => {
    const { modules } = await runAndWatch(BIN, ['status'], { env: { ...env, PARLEY_DATA_DIR: folder.path } });
    expect(modules).toContain('apps/server/src/state.ts');
    expect(modules.filter((module) => /node_modules\/(pg|kysely|fastify|typebox)\//.test(module))).toEqual([]);
  });
});

test('HS-15 the server and the agents beside it are built programs', async () => {
  for (const [program, limit] of [
    ['main', 250],
    ['hashee', 10],
    ['demo-bot', 10],
  ] as const) {
    // Each ends at once: a port that is none, no address of a server.
    const bin = join(ROOT, `apps/cli/dist/server/${program}.js`);
    const { code, files } = await runAndWatch(bin, [], { env: { ...env, PARLEY_PORT: 'none' } });
    expect(code).toBe(program === 'main' ? 3 : 2);
    expect(files.filter((file) => /(packages|apps|examples)\/.*dist\/(?!server\/)/.test(file))).toEqual([]);
    expect(files.length).toBeLessThanOrEqual(limit);
  }
});

test('HS-15 a check of a bundle starts no program', async () => {
  const programs = join(folder.path, 'programs');
  mkdirSync(programs);
  const proof = join(folder.path, 'started');
  for (const name of ['python3', 'docker', 'npx', 'uvx'])
    writeFileSync(join(programs, name), `#!/bin/sh\necho ${name} >> ${proof}\n`, { mode: 0o755 });
  const bundle = join(ROOT, 'examples/bundles/research-pipeline');
  const { code } = await run(ROLEOS, ['validate', bundle], { env: { ...env, PATH: programs } });
  expect(code).toBe(0);
  expect(existsSync(proof)).toBe(false);
});

test('HS-15 nothing but the built program is run', async () => {
  const { files } = await runAndWatch(BIN, ['manifest', 'validate', DEMOBOT], { env });
  expect(files.filter((file) => !/^apps\/cli\/(bin|dist\/program)\//.test(file))).toEqual([]);
});

test('HS-15 what V8 kept is used, and a program without it, or with what another V8 kept, does the same', async () => {
  const apps = join(folder.path, 'copy/apps');
  cpSync(join(ROOT, 'apps/cli/bin'), join(apps, 'cli/bin'), { recursive: true });
  cpSync(join(ROOT, 'apps/cli/dist/program'), join(apps, 'cli/dist/program'), { recursive: true });
  cpSync(join(ROOT, 'apps/cli/package.json'), join(apps, 'cli/package.json'));
  const program = join(apps, 'cli/dist/program');
  const caches = readdirSync(program).filter((name) => name.endsWith('.cache'));
  expect(caches).toContainEqual(expect.stringMatching(/^core-/));
  const validate = () => run(join(apps, 'cli/bin/parley.js'), ['manifest', 'validate', DEMOBOT], { env });
  const expected = await run(BIN, ['manifest', 'validate', DEMOBOT], { env });
  expect(expected.code).toBe(0);
  expect(await validate()).toEqual(expected);
  for (const name of caches) {
    const bytes = readFileSync(join(program, name));
    // Where V8 notes its version.
    bytes.writeUInt32LE(bytes.readUInt32LE(4) ^ 1, 4);
    writeFileSync(join(program, name), bytes);
  }
  expect(await validate()).toEqual(expected);
  for (const name of caches) rmSync(join(program, name));
  expect(await validate()).toEqual(expected);
});

test('HS-15 the stack of a mistake of ours names the sources', async () => {
  // No command has one that is known; this one is made by a platform that misbehaves.
  const misbehave = folder.write(
    'misbehave.mjs',
    'Array.prototype.findLastIndex = () => { throw new Error("made"); };',
  );
  const { code, stderr } = await run(BIN, ['tour'], {
    env: { ...env, PARLEY_DEBUG: '1', NODE_OPTIONS: `--import=${misbehave}` },
  });
  expect(code).not.toBe(0);
  expect(stderr).toMatch(/Error: made[\s\S]*apps\/cli\/src\/locale\.ts:\d+/);
});

test.each(['parley', 'roleos'])('HS-15 %s that was not built says what to do, with exit code 3', async (name) => {
  const clone = join(folder.path, 'clone');
  mkdirSync(join(clone, 'apps/cli'), { recursive: true });
  cpSync(join(ROOT, 'apps/cli/bin'), join(clone, 'apps/cli/bin'), { recursive: true });
  for (const file of ['package.json', 'rolldown.config.ts'])
    cpSync(join(ROOT, 'apps/cli', file), join(clone, 'apps/cli', file));
  const result = await run(join(clone, `apps/cli/bin/${name}.js`), ['--version'], { cwd: clone });
  expect(result).toEqual({
    code: 3,
    stdout: '',
    stderr: `${name} is not built yet. Build it with: node scripts/setup.mjs\n`,
  });
});
