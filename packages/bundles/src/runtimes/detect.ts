import { execFile } from 'node:child_process';
import { findProgram } from '@parley/base/node';
import type { Runtime } from '@parley/documents/bundle';

/** The programs that `roleos init` looks for (BA-8). */
const PROGRAMS = {
  node: [['node', '--version']],
  python: [
    ['python3', '--version'],
    ['python', '--version'],
  ],
  docker: [['docker', '--version']],
  openclaw: [['openclaw', '--version']],
  npx: [['npx', '--version']],
  uvx: [['uvx', '--version']],
} as const satisfies Record<string, readonly (readonly [string, string])[]>;

const TIMEOUT_MS = 5_000;
const MAX_OUTPUT = 16 * 1024;
const VERSION = /\d+(?:\.\d+){1,3}(?:-[0-9A-Za-z.-]+)?/;

type Program = keyof typeof PROGRAMS;

export interface FoundProgram {
  readonly command: string;
  /** Null if the program runs but does not say its version. */
  readonly version: string | null;
}

export interface DetectedRuntimes {
  readonly programs: Readonly<Record<Program, FoundProgram | null>>;
  /** The runtimes for the validator (BV-5). Either launcher can start an MCP server. */
  readonly runtimes: readonly Runtime[];
}

export interface DetectOptions {
  readonly signal?: AbortSignal | undefined;
  /** The search path; this process's own by default. */
  readonly path?: string | undefined;
}

/** Asks each program for its version, all at once, without a shell and within seconds. */
export async function detectRuntimes(options: DetectOptions = {}): Promise<DetectedRuntimes> {
  const names = Object.keys(PROGRAMS) as Program[];
  const found = await Promise.all(names.map((name) => findFirst(PROGRAMS[name], options)));
  const programs = Object.fromEntries(names.map((name, index) => [name, found[index] ?? null]));
  const runtimes = listRuntimes((name) => programs[name] !== null);
  return { programs: programs as Record<Program, FoundProgram | null>, runtimes };
}

/** Finds the runtimes whose programs exist without starting any: that takes a second, and a check should not. */
export function findRuntimes({ path = process.env.PATH ?? '' }: Pick<DetectOptions, 'path'> = {}): readonly Runtime[] {
  const search = { PATH: path, PATHEXT: process.env.PATHEXT };
  return listRuntimes((name) => PROGRAMS[name].some(([command]) => findProgram(command, search) !== undefined));
}

function listRuntimes(has: (name: Program) => boolean): readonly Runtime[] {
  const launchers = has('npx') || has('uvx') ? (['mcp-server'] as const) : [];
  return [...(['node', 'python', 'docker'] as const).filter(has), 'binary', ...launchers];
}

async function findFirst(
  candidates: readonly (readonly [string, string])[],
  options: DetectOptions,
): Promise<FoundProgram | null> {
  for (const [command, argument] of candidates) {
    const output = await ask(command, argument, options);
    if (output !== undefined) return { command, version: VERSION.exec(output)?.[0] ?? null };
  }
  return null;
}

function ask(command: string, argument: string, { signal, path }: DetectOptions): Promise<string | undefined> {
  const environment = { ...process.env, ...(path === undefined ? {} : { PATH: path }) };
  return new Promise((resolve) => {
    execFile(
      command,
      [argument],
      {
        timeout: TIMEOUT_MS,
        killSignal: 'SIGKILL',
        maxBuffer: MAX_OUTPUT,
        env: environment,
        signal,
        windowsHide: true,
      },
      (error, stdout, stderr) => resolve(error === null ? `${stdout}${stderr}` : undefined),
    );
  });
}
