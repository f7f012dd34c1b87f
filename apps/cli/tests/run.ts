import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll } from 'vitest';
import { prepare } from '../../../scripts/setup.mjs';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const BIN = join(ROOT, 'apps/cli/bin/parley.js');
export const ROLEOS = join(ROOT, 'apps/cli/bin/roleos.js');
export const EXAMPLES = join(ROOT, 'examples/manifests');
export const DEMOBOT = join(EXAMPLES, 'demobot.json');
export const NEXT = join(EXAMPLES, 'demobot-next.json');
export const BROKEN = join(EXAMPLES, 'broken.json');

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  /** Standard input; closed and empty unless given. */
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** The real command, as a shell would start it, in a surrounding without colours and languages of its own. */
export const parley = (args: readonly string[], options: RunOptions = {}): Promise<Result> => run(BIN, args, options);
export const roleos = (args: readonly string[], options: RunOptions = {}): Promise<Result> =>
  run(ROLEOS, args, options);

export function run(bin: string, args: readonly string[], options: RunOptions): Promise<Result> {
  const { PATH = '' } = process.env;
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: options.cwd ?? ROOT,
    env: { PATH, ...options.env },
    stdio: 'pipe',
  });
  // A command that does not read its input may be gone before it is written.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** Builds the command before the tests of a file, where it is missing or stale. */
export function useBuiltCommand(): void {
  beforeAll(() => prepare(ROOT, { install: false, quiet: true }));
}

/** A folder of its own for the tests of a file. */
export function useFolder(): { readonly path: string; write(name: string, content: string | Uint8Array): string } {
  const path = mkdtempSync(join(tmpdir(), 'parley-cli-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return {
    path,
    write(name, content) {
      writeFileSync(join(path, name), content);
      return join(path, name);
    },
  };
}
