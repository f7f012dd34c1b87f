import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { startTestServer } from '@parley/testkit/live';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ensureRuntime, RUNTIMES } from './install.mjs';
import { ANSWERS } from './person.mjs';
import { openWorkplace, runScenario } from './scenario.mjs';
import { bundleWorker } from './worker-bundle.mjs';

const folder = fileURLToPath(new URL('../../..', import.meta.url));
let server;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const everyMode = { websocket: ANSWERS, held: 'is in use by process', polling: ANSWERS, webhook: ANSWERS };

// At the same time: a process of Deno waits ten seconds before it believes that the one before it was killed.
describe.concurrent('PK-6 an agent receives, answers, calls a tool and gets the result', () => {
  test.for([
    ['bun', everyMode],
    ['deno', everyMode],
    ['workerd', { webhook: ANSWERS, restarted: ANSWERS }],
  ])('PK-6 on %s', async ([name, expected], { skip }) => {
    const { missing, path } = await ensureRuntime(name);
    if (missing !== undefined) skip(missing);
    const told = await runScenario({ runtime: { name, path }, folder, serverUrl: server.url });
    expect(told).toEqual(expected);
  });
});

test('PK-6 in workerd, the agent that needs files says what to use instead', async () => {
  const workplace = await openWorkplace(folder);
  try {
    const code = await bundleWorker(workplace.path, 'websocket-agent.mjs');
    expect(code.match(/(?:from|import|require\() *["']node:/)).toBeNull();
    await writeFile(join(workplace.path, 'bundled.mjs'), code);
    const started = import(pathToFileURL(join(workplace.path, 'bundled.mjs')));
    await expect(started).rejects.toMatchObject({
      code: 'RUNTIME_UNSUPPORTED',
      message: expect.stringContaining('WebhookAgent of @parley/agent/webhook'),
    });
  } finally {
    await workplace.close();
  }
});

describe('PK-6 the installation of a runtime', () => {
  const linux = { os: 'linux', arch: 'x64', libc: 'glibc' };
  let place;
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'parley-runtimes-'));
  });
  afterEach(() => rmSync(place, { recursive: true, force: true }));

  /** Does what npm would do, as far as it is looked at. */
  const fakeNpm = async (_, cwd) => {
    const { dependencies } = JSON.parse(readFileSync(join(cwd, 'package.json'), 'utf8'));
    const bin = join(cwd, 'node_modules', Object.keys(dependencies)[0], 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'bun'), cwd);
  };

  test('PK-6 every pinned package is in the lock file, with what its bytes must be and no registry', () => {
    const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8');
    const { packages } = JSON.parse(read('package-lock.json'));
    const wanted = Object.entries(JSON.parse(read('package.json')).optionalDependencies);
    for (const [name, range] of wanted) {
      const { version, integrity } = packages[`node_modules/${name}`];
      expect([name, range.split('@').at(-1), integrity]).toEqual([name, version, expect.stringMatching(/^sha512-/)]);
    }
    expect(Object.keys(packages)).toHaveLength(wanted.length + 1);
    expect(read('package-lock.json')).not.toContain('http');
  });

  test('PK-6 of two that ask at once both get the same, and nothing else is left', async () => {
    const ask = () => ensureRuntime('bun', { platform: linux, folder: place, npm: fakeNpm });
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(first).toEqual(second);
    expect(readFileSync(first.path, 'utf8')).toMatch(/installing-/);
    expect(readdirSync(place)).toEqual([`bun-${first.version}`]);
    const noNpm = () => Promise.reject(new Error('asked again'));
    expect(await ensureRuntime('bun', { platform: linux, folder: place, npm: noNpm })).toEqual(first);
  });

  test('PK-6 says why it cannot be had, and leaves nothing', async () => {
    const npm = () => Promise.reject(Object.assign(new Error('failed'), { stderr: 'npm error code E404\nmore' }));
    const { missing } = await ensureRuntime('bun', { platform: linux, folder: place, npm });
    expect(missing).toMatch(
      /^Bun [\d.]+ could not be installed: npm error code E404\. It needs npm and its registry\.$/,
    );
    expect(readdirSync(place)).toEqual([]);
    for (const name of Object.keys(RUNTIMES)) {
      expect(await ensureRuntime(name, { platform: { ...linux, arch: 'mips' } })).toEqual({
        missing: `${RUNTIMES[name].title} has no npm package for this platform (linux mips glibc).`,
      });
    }
  });
});
