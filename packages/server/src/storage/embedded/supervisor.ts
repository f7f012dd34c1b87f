import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { rotateInPlace } from '@parley/base/node';

/**
 * A program of its own that runs Postgres for as long as its owner lives (HS-14). The owner holds the other end of the
 * channel, and however it ends, kill -9 included, the channel ends with it. The system reuses a child's pid only after
 * we have learnt of its end, so signals always reach this Postgres.
 */
export interface Supervised {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly uid?: number;
  readonly gid?: number;
  /** If one of them is removed, Postgres is stopped. */
  readonly paths: readonly string[];
  /** Its standard output and error. Emptied when it has grown large, with a copy of the last one beside it. */
  readonly log: string;
}

/** Sent to the owner once. */
export interface SupervisorReport {
  readonly pid: number | undefined;
}

const GRACE_MS = 10_000;
const LOOK_MS = 500;
/** The shutdown is fast, then immediate; after either of the last two it recovers at the next start. */
const SHUTDOWN = ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const;

const { program, args, paths, log, ...options }: Supervised = JSON.parse(process.argv[2]!);
const before = paths.map(identify);
const child = spawn(program, args, { ...options, stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });
child.on('error', () => process.exit(1));
child.on('exit', () => process.exit(0));

let isEnding = false;
function end([signal, ...harder]: readonly NodeJS.Signals[]): void {
  if (signal === undefined) return;
  isEnding = true;
  child.kill(signal);
  setTimeout(() => end(harder), GRACE_MS);
}
const shutDown = (): void => {
  if (!isEnding) end(SHUTDOWN);
};

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, shutDown);
process.on('disconnect', shutDown);
process.send?.({ pid: child.pid } satisfies SupervisorReport, () => {});
if (!process.connected) shutDown();
setInterval(() => {
  // Its data is gone, so it need not finish anything.
  if (!isEnding && paths.some((path, index) => isReplaced(identify(path), before[index]))) end(SHUTDOWN.slice(1));
  rotateInPlace(log);
}, LOOK_MS);

function isReplaced(now: string | undefined, then: string | undefined): boolean {
  return now !== undefined && then !== undefined && now !== then;
}

/** Returns which file it is, `gone`, or undefined if the system cannot tell at the moment. */
function identify(path: string): string | undefined {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'gone' : undefined;
  }
}
