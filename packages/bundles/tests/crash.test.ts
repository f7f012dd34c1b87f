import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recover } from '../src/index.ts';
import { makeFolder, takeOutline, takePicture } from './harness/workspace.ts';

const FILES = { 'ROLEOS.md': 'No newline at the end', 'kits/own.txt': 'mine\n' };
const AT_ONCE = 3;
let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-victim-'));
  const source = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
  await build({
    configFile: false,
    logLevel: 'error',
    resolve: {
      alias: {
        '@parley/documents/bundle': source('documents/src/bundle/index.ts'),
        '@parley/documents': source('documents/src/index.ts'),
        '@parley/guarded-fetch': fileURLToPath(new URL('./harness/no-network.ts', import.meta.url)),
      },
    },
    ssr: { noExternal: true },
    build: {
      ssr: fileURLToPath(new URL('./harness/victim.ts', import.meta.url)),
      outDir: folder,
      target: 'node20',
      minify: true,
      rollupOptions: { output: { entryFileNames: 'victim.mjs' } },
    },
  });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @returns how many file operations there were, or undefined if it was killed. */
function run(action: string, root: string, last = 0): Promise<number | undefined> {
  const child = spawn(process.execPath, [join(folder, 'victim.mjs'), action, root, String(last)], { stdio: 'pipe' });
  let output = '';
  let errors = '';
  child.stdout.on('data', (text: Buffer) => {
    output += text;
  });
  child.stderr.on('data', (text: Buffer) => {
    errors += text;
  });
  return new Promise((resolve, reject) => {
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Number(output));
      else if (signal === 'SIGKILL') resolve(undefined);
      else reject(new Error(errors));
    });
  });
}

function copy(root: string): string {
  const target = makeFolder();
  cpSync(root, target, { recursive: true, preserveTimestamps: true });
  return target;
}

/** Kills it before each of its operations in turn, recovers, and looks at the whole tree. */
async function killEverywhere(action: string, start: string): Promise<{ old: number; fresh: number }> {
  const finished = copy(start);
  const total = await run(action, finished);
  const wanted = takeOutline(finished);
  const seen = { old: 0, fresh: 0 };
  let next = 1;
  const work = async (): Promise<void> => {
    while (next <= total!) {
      const last = next++;
      const root = copy(start);
      const before = takePicture(root);
      expect(await run(action, root, last), `${action} lived through step ${last}`).toBeUndefined();
      const { leftovers } = await recover(root);
      const after = takePicture(root);
      const isOld = JSON.stringify(after) === JSON.stringify(before);
      if (!isOld) expect(takeOutline(root), `${action} killed at step ${last}: neither old nor new`).toEqual(wanted);
      expect(leftovers).toEqual([]);
      seen[isOld ? 'old' : 'fresh']++;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return seen;
}

describe('BA-3 killed at any file operation, the workspace is fully old or fully new', () => {
  it('BA-3 activation', async () => {
    const seen = await killEverywhere('activate', makeFolder(FILES));
    expect(seen.old).toBeGreaterThan(20);
    expect(seen.fresh).toBeGreaterThan(0);
  }, 300_000);

  it('BA-3 upgrade', async () => {
    const start = makeFolder(FILES);
    await run('activate', start);
    const seen = await killEverywhere('upgrade', start);
    expect(seen.old).toBeGreaterThan(20);
    expect(seen.fresh).toBeGreaterThan(0);
  }, 300_000);

  it('BA-3 uninstall', async () => {
    const start = makeFolder(FILES);
    await run('activate', start);
    const seen = await killEverywhere('uninstall', start);
    expect(seen.old).toBeGreaterThan(20);
    expect(seen.fresh).toBeGreaterThan(0);
  }, 300_000);

  it('BA-3 rollback of an upgrade', async () => {
    const start = makeFolder(FILES);
    await run('activate', start);
    await run('upgrade', start);
    const seen = await killEverywhere('rollback', start);
    expect(seen.old).toBeGreaterThan(20);
    expect(seen.fresh).toBeGreaterThan(0);
  }, 300_000);

  it('BA-3 the recovery itself is killed, too, at each of its own operations', async () => {
    const start = makeFolder(FILES);
    const before = takePicture(start);
    const steps = (await run('activate', copy(start)))!;
    // Far enough that files have been replaced, and not yet true.
    const wounded = copy(start);
    await run('activate', wounded, Math.floor(steps * 0.75));
    const total = (await run('recover', copy(wounded)))!;
    expect(total).toBeGreaterThan(10);
    for (let last = 1; last <= total; last++) {
      const root = copy(wounded);
      await run('recover', root, last);
      await recover(root);
      expect(Object.keys(takePicture(root)), `killed at step ${last}`).toEqual(Object.keys(before));
      expect(takeOutline(root)).toEqual(takeOutline(start));
    }
  }, 300_000);
});

describe('BA-3 a person comes between the crash and the recovery', () => {
  it('BA-3 their edit stays, the original is kept beside, and both are reported', async () => {
    const start = makeFolder(FILES);
    const steps = (await run('activate', copy(start)))!;
    for (let last = steps; last > 0; last--) {
      const root = copy(start);
      await run('activate', root, last);
      const path = join(root, 'ROLEOS.md');
      const isOurs = readFileSync(path, 'utf8').includes('roleos:begin');
      // The last step at which the change was made and not yet true.
      if (!isOurs || !existsSync(join(root, '.roleos/journal.json'))) continue;
      writeFileSync(path, 'A person was here.\n');
      const { undone, leftovers } = await recover(root);
      expect(undone).toBe(true);
      expect(leftovers).toEqual([{ path: 'ROLEOS.md', original: expect.stringMatching(/^\.roleos\/lost\//) }]);
      expect(readFileSync(path, 'utf8')).toBe('A person was here.\n');
      expect(readFileSync(join(root, leftovers[0]!.original!), 'utf8')).toBe(FILES['ROLEOS.md']);
      expect(existsSync(join(root, 'roles'))).toBe(false);
      return;
    }
    expect.unreachable('no step between');
  });
});
