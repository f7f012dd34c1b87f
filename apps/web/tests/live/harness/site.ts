import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { acquireLock, findLockHolder, openLockFolder, type ProcessLock } from '@parley/base/node';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const WEB = join(ROOT, 'apps/web');
const SITE = join(ROOT, 'apps/cli/dist/site');
/** What the pages are made of. */
const SOURCES = [
  ...['base', 'documents', 'protocol', 'e2ee', 'messenger', 'client'].map((name) =>
    join(ROOT, 'packages', name, 'src'),
  ),
  ...['src', 'public', 'index.html', 'vite.config.ts'].map((name) => join(WEB, name)),
];
const DIST = join(WEB, 'dist');
const LOCK = 'building.lock';
const WAIT_MS = 250;

/** The built pages, built again where a source is newer; PARLEY_TEST_SITE names ones that are taken as they are. */
export async function ensureSite(): Promise<string> {
  const given = process.env.PARLEY_TEST_SITE;
  if (given) return given;
  while (!isFresh()) {
    const lock = await takeLock();
    if (lock === undefined) await sleep(WAIT_MS);
    else
      try {
        build();
      } finally {
        await lock.release();
      }
  }
  return SITE;
}

function isFresh(): boolean {
  const index = join(SITE, 'index.html');
  return (
    findLockHolder(DIST, LOCK) === undefined &&
    existsSync(index) &&
    Math.max(...SOURCES.map(newest)) <= statSync(index).mtimeMs
  );
}

function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).flatMap((name) => (isTest(name) ? [] : [newest(join(path, name))])));
}

const isTest = (name: string) => /\.test\.tsx?$/.test(name);

/** Undefined while another process, as long as it lives, has it. */
async function takeLock(): Promise<ProcessLock | undefined> {
  const outcome = await acquireLock(await openLockFolder(DIST), { name: LOCK });
  return 'lock' in outcome ? outcome.lock : undefined;
}

function build(): void {
  run(join(ROOT, 'node_modules/typescript/bin/tsc'), ['-b', 'packages/client'], ROOT);
  run(join(ROOT, 'node_modules/vite/bin/vite.js'), ['build', '--logLevel', 'warn'], WEB);
}

function run(program: string, args: readonly string[], cwd: string): void {
  // Built as it is served: the runner of the tests says that everything is a test.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} failed:\n${stdout}${stderr}`);
}
