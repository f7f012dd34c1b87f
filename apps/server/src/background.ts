import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findLockHolder, rotateInPlace } from '@parley/base/node';
import type { Settings } from './environment.ts';
import { startError } from './errors.ts';
import { programFile } from './layout.ts';
import type { Report } from './run.ts';
import { fromProblem, StartErrors } from './start-errors.ts';
import { SERVER_LOCK } from './state.ts';

const START_MS = 120_000;
/** Longer than the longest delay (40 s), what is finished then (10 s) and the database (20 s) may take together. */
const STOP_MS = 90_000;
const POLL_MS = 50;

/** Starts a server that outlives us, and waits until it answers. Throws StartErrors with the reasons that it gives. */
export async function startInBackground(settings: Settings, env: NodeJS.ProcessEnv): Promise<string> {
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
  const log = join(settings.dataDir, 'server.out');
  rotateInPlace(log);
  const out = openSync(log, 'a', 0o600);
  const child = spawn(process.execPath, [programFile('main')], {
    // Nobody rotates what its standard error becomes here.
    env: { PARLEY_LOG_FILE: join(settings.dataDir, 'server.log'), ...env, PARLEY_DATA_DIR: settings.dataDir },
    stdio: ['ignore', out, out, 'ipc'],
    detached: true,
    windowsHide: true,
  });
  closeSync(out);
  const report = await new Promise<Report>((resolve) => {
    const fail = (code: 'NOT_IN_TIME' | 'ENDED') => resolve({ kind: 'refused', problems: [{ code, params: { log } }] });
    const timer = setTimeout(() => fail('NOT_IN_TIME'), START_MS);
    child.once('message', (message) => {
      clearTimeout(timer);
      resolve(message as Report);
    });
    child.once('error', () => fail('ENDED'));
    child.once('exit', () => {
      clearTimeout(timer);
      fail('ENDED');
    });
  });
  child.unref();
  if (child.connected) child.disconnect();
  if (report.kind === 'ready') return report.url;
  if (report.problems.some(({ code }) => code === 'NOT_IN_TIME')) child.kill();
  throw new StartErrors(report.problems.map(fromProblem));
}

/** Asks the server of this folder to finish, and waits until it has. False if there is none. */
export async function stopRunning(dataDir: string): Promise<boolean> {
  const holder = findLockHolder(dataDir, SERVER_LOCK);
  if (holder === undefined) return false;
  const { pid, host, isHere } = holder;
  if (!isHere) throw startError('SERVER_ELSEWHERE', { params: { pid, host, folder: dataDir } });
  process.kill(pid, 'SIGTERM');
  const deadline = Date.now() + STOP_MS;
  while (findLockHolder(dataDir, SERVER_LOCK)?.pid === pid) {
    if (Date.now() > deadline) throw startError('NOT_STOPPED', { params: { pid, seconds: STOP_MS / 1_000 } });
    await sleep(POLL_MS);
  }
  return true;
}
