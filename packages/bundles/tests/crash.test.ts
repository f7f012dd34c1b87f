import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recover } from '../src/index.ts';
import { copyTree } from './harness/copy-tree.ts';
import { makeFolder, takeOutline, takePicture } from './harness/workspace.ts';

const FILES = { 'ROLEOS.md': 'No newline at the end', 'kits/own.txt': 'mine\n' };
/** A process that really dies takes a hundred times as long as a copy of what it would leave. */
const KILLED_EVERY = 10;
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

interface Course {
  /** The operation before which it is killed. */
  readonly last?: number;
  /** Where to keep what a kill before each operation would leave. */
  readonly kept?: string;
}

/** @returns how many file operations there were, or undefined if it was killed. */
function run(action: string, root: string, { last = 0, kept }: Course = {}): Promise<number | undefined> {
  const words = [action, root, String(last), ...(kept === undefined ? [] : [kept])];
  const child = spawn(process.execPath, [join(folder, 'victim.mjs'), ...words], { stdio: 'pipe' });
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
  copyTree(root, target);
  return target;
}

/** Lists what is left if it is killed before each of its operations in turn: copies of it, and some that were killed. */
async function leaveEverywhere(action: string, start: string) {
  const [finished, kept] = [copy(start), makeFolder()];
  const total = (await run(action, finished, { kept }))!;
  const left = Array.from({ length: total }, (_, index) => ({ last: index + 1, root: join(kept, String(index + 1)) }));
  const killed = left.filter(({ last }) => last % KILLED_EVERY === 0).map(({ last }) => ({ last, root: copy(start) }));
  for (const { last, root } of killed)
    expect(await run(action, root, { last }), `${action} lived through step ${last}`).toBeUndefined();
  return { finished, left: [...left, ...killed] };
}

/** Kills it before each of its operations in turn, recovers, and looks at the whole tree. */
async function killEverywhere(action: string, start: string): Promise<{ old: number; fresh: number }> {
  const before = takePicture(copy(start));
  const { finished, left } = await leaveEverywhere(action, start);
  const wanted = takeOutline(finished);
  const seen = { old: 0, fresh: 0 };
  for (const { last, root } of left) {
    const { leftovers } = await recover(root);
    const after = takePicture(root);
    const isOld = JSON.stringify(after) === JSON.stringify(before);
    if (!isOld) expect(takeOutline(root), `${action} killed at step ${last}: neither old nor new`).toEqual(wanted);
    expect(leftovers).toEqual([]);
    seen[isOld ? 'old' : 'fresh']++;
  }
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
    await run('activate', wounded, { last: Math.floor(steps * 0.75) });
    const { left } = await leaveEverywhere('recover', wounded);
    expect(left.length).toBeGreaterThan(10);
    for (const { last, root } of left) {
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
      await run('activate', root, { last });
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
