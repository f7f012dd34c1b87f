import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { acquireLock, findLockHolder, HOST, identifyThisProcess, isLockAbandoned, openLockFolder } from './index.ts';

const BUILT = new URL('../../dist/node/index.js', import.meta.url).href;
const LOCK = 'x.lock';
const ELSEWHERE = 'f'.repeat(16);
const NONCE = '0123456789abcdef';

let folder: string;
const children: ChildProcess[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-lock-'));
});
afterEach(async () => {
  vi.useRealTimers();
  for (const child of children.splice(0)) await end(child);
  rmSync(folder, { recursive: true, force: true });
});

const acquire = async (options = {}) => acquireLock(await openLockFolder(folder), { name: LOCK, ...options });

async function hold() {
  const outcome = await acquire();
  if (!('lock' in outcome)) throw new Error(`held by ${outcome.holder.pid}`);
  return outcome.lock;
}

function leave(host: string, pid: number, start: string): string {
  const name = `${LOCK}.${host}.${pid}.${start}.${NONCE}`;
  writeFileSync(join(folder, name), 'their-host');
  writeFileSync(join(folder, `${name}.held`), '');
  return join(folder, name);
}

/** A process that tries for the lock, says how it went, and keeps what it got. */
function contend(): { child: ChildProcess; outcome: Promise<string> } {
  const code = `
    import { acquireLock, openLockFolder } from ${JSON.stringify(BUILT)};
    const outcome = await acquireLock(await openLockFolder(process.argv[1]), { name: '${LOCK}' });
    process.stdout.write('lock' in outcome ? 'got' : 'refused');
    setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return { child, outcome: once(child.stdout!, 'data').then(String) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

describe('HS-20 EE-7 HS-8 BA-3 a lock of processes', () => {
  it('HS-20 held, it is refused at once with its holder; released, it leaves nothing behind', async () => {
    const lock = await hold();
    expect(await acquire()).toEqual({ holder: { pid: process.pid, isHere: true, host: hostname() } });
    expect(findLockHolder(folder, LOCK)).toMatchObject({ pid: process.pid });
    expect(lock.isHeld()).toBe(true);
    await lock.release();
    expect(lock.isHeld()).toBe(false);
    expect(readdirSync(folder)).toEqual([]);
    expect(findLockHolder(folder, LOCK)).toBeUndefined();
  });

  it('HS-20 of many processes at once exactly one gets it, and after kill -9 the next one', async () => {
    const all = Array.from({ length: 6 }, contend);
    const outcomes = await Promise.all(all.map(({ outcome }) => outcome));
    expect(outcomes.filter((outcome) => outcome === 'got')).toHaveLength(1);
    await end(all[outcomes.indexOf('got')]!.child);
    expect(isLockAbandoned(folder, LOCK, 0)).toBe(true);
    expect(isLockAbandoned(folder, LOCK, 60_000)).toBe(false);
    await (await hold()).release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it('HS-20 of many in one process each runs alone', async () => {
    let inside = 0;
    let most = 0;
    const work = async () => {
      const outcome = await acquire({ waitMs: 30_000 });
      if (!('lock' in outcome)) throw new Error('refused');
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
      await outcome.lock.release();
    };
    await Promise.all(Array.from({ length: 8 }, work));
    expect(most).toBe(1);
  });

  it('HS-20 reused pid: the claim of an earlier process with our number is not ours', async () => {
    leave(HOST, process.pid, NONCE);
    await (await hold()).release();
  });

  it('HS-20 a claim without a start, where the system does not tell, is believed while the number is in use', async () => {
    leave(HOST, process.pid, 'unknown');
    expect(await acquire()).toMatchObject({ holder: { pid: process.pid } });
  });

  it('HS-20 two containers with one host name: a holder that cannot be seen from here is not called dead', async () => {
    // The number is free here, as it would be for a process of another container.
    const file = leave(ELSEWHERE, 4_194_304, NONCE);
    let time = 1;
    const beat = setInterval(() => utimesSync(file, ++time, time), 20);
    try {
      expect(await acquire({ silenceMs: 60_000 })).toEqual({
        holder: { pid: 4_194_304, isHere: false, host: 'their-host' },
      });
    } finally {
      clearInterval(beat);
    }
    utimesSync(file, new Date(), new Date());
    expect(findLockHolder(folder, LOCK)).toEqual({ pid: 4_194_304, isHere: false, host: 'their-host' });
    utimesSync(file, 1, 1);
    expect(findLockHolder(folder, LOCK)).toBeUndefined();
  });

  it('HS-20 a folder that is removed again and again is an error, not a wait for ever', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const files = await openLockFolder(folder);
    const create = async () => {
      vi.advanceTimersByTime(5_000);
      return undefined;
    };
    await expect(acquireLock({ ...files, create }, { name: LOCK })).rejects.toThrow(/again and again/);
  });

  it('HS-20 a holder on another host that gives no sign of life is succeeded, and learns of it', async () => {
    const lock = await hold();
    // As if seen from another host.
    for (const name of readdirSync(folder)) renameSync(join(folder, name), join(folder, name.replace(HOST, ELSEWHERE)));
    const outcome = await acquire({ silenceMs: 300 });
    expect(outcome).toHaveProperty('lock');
    expect(lock.isHeld()).toBe(false);
    await lock.release();
    expect(findLockHolder(folder, LOCK)).toMatchObject({ pid: process.pid });
  });

  it('HS-20 a file of another lock, or of nobody, is left alone', async () => {
    const { pid, start } = identifyThisProcess();
    writeFileSync(join(folder, `y.lock.${HOST}.${pid}.${start}.${NONCE}`), '');
    writeFileSync(join(folder, `${LOCK}.txt`), '');
    await (await hold()).release();
    expect(readdirSync(folder)).toHaveLength(2);
  });
});
