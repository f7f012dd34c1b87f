import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { StartFailure } from '../../start-failure.ts';

/** A file that says which process has a folder. It stays behind after kill -9, so whoever finds it asks for the process. */
export interface Hold {
  release(): void;
}

export interface Holder {
  readonly pid: number;
  readonly host: string;
  /** When the process began, as the kernel counts: a pid alone may have been given to someone else since. */
  readonly began: string;
}

const BEAT_MS = 5_000;
/** On another host (a container before this one) only the file's age tells whether its process lives. */
const STALE_MS = 30_000;

/** Takes the file, or throws FOLDER_HELD with who has it. */
export function holdFile(file: string, folder: string): Hold {
  const own = JSON.stringify({ pid: process.pid, host: hostname(), began: beganAt(process.pid) } satisfies Holder);
  while (!create(file, own)) {
    const holder = findHolder(file);
    if (holder !== undefined) throw new StartFailure('FOLDER_HELD', { folder, pid: holder.pid, host: holder.host });
    bury(file);
  }
  const beat = setInterval(() => {
    const now = new Date();
    if (read(file) === own) utimesSync(file, now, now);
  }, BEAT_MS).unref();
  return {
    release: () => {
      clearInterval(beat);
      if (read(file) === own) rmSync(file, { force: true });
    },
  };
}

/** The living process that holds the file, if there is one. */
export function findHolder(file: string): Holder | undefined {
  const holder = readHolder(file);
  if (holder === undefined) return undefined;
  if (holder.host !== hostname()) return isYoung(file, STALE_MS) ? holder : undefined;
  return isAlive(holder.pid) && beganAt(holder.pid) === holder.began ? holder : undefined;
}

/** Did a process of this machine hold the file, which ended without letting go of it and was last seen `idleMs` ago? */
export function isAbandoned(file: string, idleMs: number): boolean {
  const isOurs = readHolder(file)?.host === hostname();
  return isOurs && findHolder(file) === undefined && !isYoung(file, idleMs);
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(read(file) ?? '');
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  // One that has ended may wait for ever to be asked how, in a container whose first process asks nobody.
  return statOf(pid)[0] !== 'Z';
}

/** Empty where the system does not tell. */
function beganAt(pid: number): string {
  return statOf(pid)[19] ?? '';
}

/** The fields of /proc/<pid>/stat from the third on; the second, in brackets, may hold spaces and brackets. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** Whole or not at all: a half-written file would look like nobody's. */
function create(file: string, text: string): boolean {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o644 });
  try {
    linkSync(draft, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Moved away first: of two that find the same dead file, the slower must not remove what the faster has just made. */
function bury(file: string): void {
  const grave = `${file}.${process.pid}.old`;
  try {
    renameSync(file, grave);
  } catch {
    return;
  }
  if (findHolder(grave) !== undefined) {
    try {
      linkSync(grave, file);
    } catch {
      // Someone holds it by now.
    }
  }
  rmSync(grave, { force: true });
}

function isYoung(file: string, ms: number): boolean {
  try {
    return Date.now() - statSync(file).mtimeMs < ms;
  } catch {
    return false;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
