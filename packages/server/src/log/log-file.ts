import { closeSync, fstatSync, openSync, renameSync, statSync, writeSync } from 'node:fs';

/** Where the lines of the log go. Writing never throws: a server must not end because its log cannot be written (OP-8). */
export interface LogFile {
  write(line: string): void;
  /** The lines that could not be written since the start. */
  dropped(): number;
  /** Tries again if the last line could not be written. Returns the code of the system, such as ENOSPC, if it still cannot. */
  check(): string | undefined;
}

export interface LogFileOptions {
  /** Standard error if undefined: whoever reads that keeps and rotates it. */
  readonly file?: string | undefined;
  /** A file that would become larger than this is renamed to `<file>.1`, the one before it to `<file>.2`. */
  readonly maxBytes?: number | undefined;
  /** How many of the renamed files are kept. */
  readonly keep?: number | undefined;
  /** A clock that never goes back. */
  readonly elapsed?: () => number;
}

const STDERR = 2;
const LOOK_MS = 1_000;
/** A pipe whose reader is slow. */
const FULL_PIPE = 'EAGAIN';
const FLUSH_MS = 100;
const MAX_QUEUED = 1_000;

/** Opened at once: a log that can never be written is told at the start. */
export function openLogFile({
  file,
  maxBytes = 20 * 1024 * 1024,
  keep = 5,
  elapsed = () => performance.now(),
}: LogFileOptions): LogFile {
  let opened = file === undefined ? { fd: STDERR, size: 0, isRegular: false, id: '' } : open(file);
  let looked = elapsed();
  let dropped = 0;
  /** Of them, those that the log does not mention yet. */
  let untold = 0;
  let failure: string | undefined;
  /** The line before was written in part: what comes next begins a new one. */
  let isTorn = false;
  let queued: string[] = [];

  const drop = (code: string, count: number) => {
    failure = code;
    dropped += count;
    untold += count;
  };
  /** Is the open file still the one of this name? */
  const isAt = (path: string) => {
    const there = statSync(path, { throwIfNoEntry: false });
    return there !== undefined && identify(there) === opened.id;
  };
  const reopen = (path: string) => {
    const next = open(path);
    closeSync(opened.fd);
    opened = next;
  };
  /** Somebody may have moved the file away, or emptied it: logrotate, with or without `copytruncate`. */
  const look = (path: string) => {
    const now = elapsed();
    if (now - looked < LOOK_MS) return;
    looked = now;
    if (!isAt(path)) reopen(path);
    else if (fstatSync(opened.fd).size < opened.size) opened.size = fstatSync(opened.fd).size;
  };
  const rotate = (path: string) => {
    try {
      if (isAt(path)) {
        for (let index = keep - 1; index >= 1; index--) move(`${path}.${index}`, `${path}.${index + 1}`);
        move(path, `${path}.1`);
      }
      reopen(path);
    } catch {
      // It goes on in the file that is open, and tries again when that has grown as much again.
      opened.size = 0;
    }
  };
  const put = (text: string) => {
    if (file !== undefined) {
      look(file);
      if (opened.isRegular && opened.size > 0 && opened.size + text.length > maxBytes) rotate(file);
    }
    const bytes = Buffer.from(isTorn ? `\n${text}` : text);
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(opened.fd, bytes, written);
      isTorn = false;
    } finally {
      if (written > 0 && written < bytes.length) isTorn = true;
      opened.size += written;
    }
  };
  const tell = () => {
    if (untold === 0) return;
    const count = untold;
    put(
      `${JSON.stringify({ level: 40, time: Date.now(), dropped: count, reason: failure, msg: 'log: lines are missing' })}\n`,
    );
    untold -= count;
  };
  const flush = () => {
    const lines = queued;
    queued = [];
    for (const line of lines) write(line);
  };
  const enqueue = (line: string) => {
    if (queued.length >= MAX_QUEUED) {
      drop(FULL_PIPE, 1);
      return;
    }
    if (queued.length === 0) setTimeout(flush, FLUSH_MS).unref();
    queued.push(line);
  };
  const write = (line: string): void => {
    if (queued.length > 0) {
      enqueue(line);
      return;
    }
    try {
      tell();
      put(line);
      failure = undefined;
    } catch (error) {
      const { code = 'UNKNOWN' } = error as NodeJS.ErrnoException;
      if (code === FULL_PIPE) enqueue(line);
      else drop(code, 1);
    }
  };
  const check = () => {
    if (failure === undefined || queued.length > 0) return failure;
    try {
      tell();
      failure = undefined;
    } catch (error) {
      failure = (error as NodeJS.ErrnoException).code ?? 'UNKNOWN';
    }
    return failure;
  };
  return { write, check, dropped: () => dropped };
}

function open(file: string) {
  // Appended to: what was written survives when somebody empties the file, and leaves no hole.
  const fd = openSync(file, 'a', 0o600);
  const stats = fstatSync(fd);
  return { fd, size: stats.size, isRegular: stats.isFile(), id: identify(stats) };
}

function identify({ dev, ino }: { readonly dev: number; readonly ino: number }): string {
  return `${dev}:${ino}`;
}

function move(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
