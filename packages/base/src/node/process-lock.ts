import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { HOST, identifyThisProcess, isSameProcessAlive, type ProcessIdentity } from './process-identity.ts';

/** The files of a lock, wherever they are stored. */
export interface LockFolder {
  list(): Promise<readonly string[]>;
  /** Creates a file with a name that nobody else uses. Returns undefined if the folder was removed meanwhile. */
  create(name: string, text: string): Promise<LockFile | undefined>;
  /** Returns undefined if the file is gone. `heartbeat` differs after each heartbeat. */
  read(name: string): Promise<{ readonly text: string; readonly heartbeat: number } | undefined>;
  /** Succeeds if the file is already gone. */
  remove(name: string): Promise<void>;
}

/** A lock file that is held open. */
export interface LockFile {
  /** Shows other hosts that this process is alive. */
  heartbeat(): Promise<void>;
  exists(): boolean;
  /** Removes the file and closes it. */
  remove(): Promise<void>;
}

export interface LockOptions {
  readonly name: string;
  /** How long to wait for the holder to release the lock. Without it, a held lock is reported at once. */
  readonly waitMs?: number;
  /** A holder on another host without a heartbeat for this long counts as dead. */
  readonly silenceMs?: number;
}

export interface LockHolder {
  readonly pid: number;
  /** False if the process runs on another host, where its number means another process than here. */
  readonly isHere: boolean;
  /** The host's own name for itself. */
  readonly host: string;
}

export interface ProcessLock {
  /** False once another host has taken the lock over, which it does if this process looked dead. */
  isHeld(): boolean;
  release(): Promise<void>;
}

export type LockResult = { readonly lock: ProcessLock } | { readonly holder: LockHolder };

const HEARTBEAT_MS = 2_000;
const LOOK_MS = 100;
const SILENCE_MS = 30_000;
/**
 * Processes that start at the same moment give way to each other for a while; one gets the lock much sooner than this.
 */
const CONTENTION_MS = 10_000;
const MAX_PAUSE_MS = 240;
const HELD = '.held';

/**
 * Acquires a lock that is held until it is released or the process ends, however it ends.
 *
 * Each process creates a claim, a file that is named after the process, and then looks for other claims. A process that
 * sees the claim of a living process gives way, so of two at once at most one goes on. No two claims ever have the same
 * name, so removing that of a dead process is never a race. A second file marks the claim that holds the lock: it is
 * useless to wait for that one.
 */
export async function acquireLock(folder: LockFolder, options: LockOptions): Promise<LockResult> {
  const { waitMs = 0, silenceMs = SILENCE_MS } = options;
  const name = claimName(options.name, identifyThisProcess());
  const began = Date.now();
  for (let attempt = 1; ; attempt++) {
    const outcome = await claim(folder, name, options.name);
    if ('lock' in outcome) return outcome;
    const { rival } = outcome;
    if (rival !== undefined && isForeign(rival) && !(await givesSignOfLife(folder, rival.name, silenceMs))) {
      await removeClaim(folder, rival.name);
      continue;
    }
    if (Date.now() - began >= (rival?.isHeld ? waitMs : Math.max(waitMs, CONTENTION_MS))) {
      if (rival === undefined) throw new Error('The folder of the lock is removed again and again.');
      return { holder: { pid: rival.identity.pid, isHere: !isForeign(rival), host: await nameHost(folder, rival) } };
    }
    // The pause is random, so that two processes that met do not meet again.
    await sleep(Math.min(20 * attempt, MAX_PAUSE_MS) * Math.random());
  }
}

export interface Claim {
  readonly name: string;
  readonly identity: ProcessIdentity;
  readonly isHeld: boolean;
}

/** Finds the claims on a lock among file names. */
export function readClaims(lock: string, names: readonly string[]): Claim[] {
  const all = new Set(names);
  return names.flatMap((name) => {
    const identity = readName(lock, name);
    return identity === undefined ? [] : [{ name, identity, isHeld: all.has(name + HELD) }];
  });
}

/** Has the process of this claim ended? Always false for a process on another host. */
export const isDead = (claim: Claim): boolean => !isForeign(claim) && !isSameProcessAlive(claim.identity);

export const isForeign = ({ identity }: Claim): boolean => identity.host !== HOST;

async function claim(
  folder: LockFolder,
  name: string,
  lock: string,
): Promise<{ lock: ProcessLock } | { rival: Claim | undefined }> {
  const file = await folder.create(name, hostname());
  if (file === undefined) return { rival: undefined };
  try {
    const others = readClaims(lock, await folder.list()).filter((other) => other.name !== name);
    const living = others.filter((other) => !isDead(other));
    if (living.length > 0) {
      await file.remove();
      return { rival: living.find(({ isHeld }) => isHeld) ?? living[0] };
    }
    for (const dead of others) await removeClaim(folder, dead.name);
    return { lock: keep(file, await folder.create(name + HELD, '')) };
  } catch (error) {
    // Otherwise this process would block itself and all others for as long as it lives.
    await file.remove().catch(() => {});
    throw error;
  }
}

/** Removes the marker first: it must not remain without its claim. */
async function removeClaim(folder: LockFolder, name: string): Promise<void> {
  await folder.remove(name + HELD);
  await folder.remove(name);
}

function keep(file: LockFile, marker: LockFile | undefined): ProcessLock {
  // The file may have been removed by another host or by hand; `isHeld` reports that.
  const timer = setInterval(() => void file.heartbeat().catch(() => {}), HEARTBEAT_MS).unref();
  let isReleased = false;
  return {
    isHeld: () => !isReleased && file.exists(),
    release: async () => {
      if (isReleased) return;
      isReleased = true;
      clearInterval(timer);
      try {
        await marker?.remove();
      } finally {
        await file.remove();
      }
    },
  };
}

/** Measures the silence with our own clock: two hosts need not agree on the time. */
async function givesSignOfLife(folder: LockFolder, name: string, silenceMs: number): Promise<boolean> {
  const first = await folder.read(name);
  for (const end = Date.now() + silenceMs; Date.now() < end; ) {
    await sleep(LOOK_MS);
    const now = await folder.read(name);
    // The claim is gone, so the lock was released.
    if (now === undefined) return false;
    if (now.heartbeat !== first?.heartbeat) return true;
  }
  return false;
}

async function nameHost(folder: LockFolder, claim: Claim): Promise<string> {
  if (!isForeign(claim)) return hostname();
  return (await folder.read(claim.name))?.text ?? claim.identity.host;
}

const UNKNOWN = 'unknown';

function claimName(lock: string, { host, pid, start }: ProcessIdentity): string {
  return [lock, host, pid, start === '' ? UNKNOWN : start, randomBytes(8).toString('hex')].join('.');
}

function readName(lock: string, name: string): ProcessIdentity | undefined {
  if (!name.startsWith(`${lock}.`)) return undefined;
  const found = /^([0-9a-f]{16})\.([1-9]\d{0,9})\.([0-9a-f]{16}|unknown)\.[0-9a-f]{16}$/.exec(
    name.slice(lock.length + 1),
  );
  if (found === null) return undefined;
  const [, host, pid, start] = found as unknown as [string, string, string, string];
  return { host, pid: Number(pid), start: start === UNKNOWN ? '' : start };
}
