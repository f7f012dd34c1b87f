import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../../../../', import.meta.url));
const WEB = join(ROOT, 'apps/web');
const SITE = join(WEB, 'dist/site');
/** What the pages are made of. */
const SOURCES = [
  ...['documents', 'protocol', 'e2ee', 'messenger', 'client'].map((name) => join(ROOT, 'packages', name, 'src')),
  ...['src', 'public', 'index.html', 'vite.config.ts'].map((name) => join(WEB, name)),
];
const LOCK = join(WEB, 'dist/.building');
const WAIT_MS = 250;
const STALE_LOCK_MS = 120_000;

/** The built pages, built again where a source is newer; PARLEY_TEST_SITE names ones that are taken as they are. */
export async function ensureSite(): Promise<string> {
  const given = process.env.PARLEY_TEST_SITE;
  if (given) return given;
  while (!isFresh()) {
    if (takeLock()) {
      try {
        build();
      } finally {
        rmdirSync(LOCK);
      }
    } else await sleep(WAIT_MS);
  }
  return SITE;
}

function isFresh(): boolean {
  const index = join(SITE, 'index.html');
  return !existsSync(LOCK) && existsSync(index) && Math.max(...SOURCES.map(newest)) <= statSync(index).mtimeMs;
}

function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(0, ...readdirSync(path).flatMap((name) => (isTest(name) ? [] : [newest(join(path, name))])));
}

const isTest = (name: string) => /\.test\.tsx?$/.test(name);

function takeLock(): boolean {
  mkdirSync(join(WEB, 'dist'), { recursive: true });
  try {
    mkdirSync(LOCK);
    return true;
  } catch {
    if (Date.now() - (statSync(LOCK, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()) > STALE_LOCK_MS)
      rmdirSync(LOCK);
    return false;
  }
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
