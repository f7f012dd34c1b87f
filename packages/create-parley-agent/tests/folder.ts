import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { main, type Surroundings } from '../src/main.ts';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** A folder of its own for the tests of a file. */
export function useFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'parley-create-'));
  afterAll(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Runs the command in a folder, where nobody can be asked unless the surroundings have a terminal. */
export async function create(cwd: string, args: readonly string[], given: Partial<Surroundings> = {}) {
  let stdout = '';
  let stderr = '';
  const code = await main(args, {
    cwd,
    env: {},
    terminal: undefined,
    print: (text) => {
      stdout += text;
    },
    printError: (text) => {
      stderr += text;
    },
    ...given,
  });
  return { code, stdout, stderr };
}
