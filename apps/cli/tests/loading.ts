import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Result, ROOT, type RunOptions, run } from './run.ts';

export interface Loading extends Result {
  /** Every file that was loaded, from the root of the repository. */
  readonly files: readonly string[];
  /** Every source and dependency that is in them, by its path: `packages/protocol/src/errors.ts`, `node_modules/ws/…`. */
  readonly modules: readonly string[];
}

/** Runs a command and tells what it loaded, as V8 itself counts for its coverage. */
export async function runAndWatch(bin: string, args: readonly string[], options: RunOptions = {}): Promise<Loading> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-loaded-'));
  try {
    const result = await run(bin, args, { ...options, env: { ...options.env, NODE_V8_COVERAGE: folder } });
    const files = readdirSync(folder)
      .flatMap((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')).result as { url: string }[])
      .filter(({ url }) => url.startsWith('file:'))
      .map(({ url }) => fileURLToPath(url));
    return { ...result, files: files.map(fromRoot), modules: files.flatMap(modulesOf) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function modulesOf(file: string): string[] {
  let map: { sources: string[] };
  try {
    map = JSON.parse(readFileSync(`${file}.map`, 'utf8'));
  } catch {
    return [fromRoot(file)];
  }
  return map.sources.map((source) => fromRoot(join(file, '..', source)));
}

const fromRoot = (file: string): string => file.slice(ROOT.length);
