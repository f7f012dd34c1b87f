import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const SETUP = fileURLToPath(new URL('../../../scripts/setup.mjs', import.meta.url));

/** The built program, or a word about how to build it. */
export function load(name) {
  const program = new URL(`../dist/program/${name}.js`, import.meta.url);
  if (!existsSync(program)) {
    process.stderr.write(`${name} is not built yet. Build it with: node ${relative(process.cwd(), SETUP)}\n`);
    process.exit(3);
  }
  // Then stack traces name the sources. Reading the maps takes a moment, so only those who look for a mistake wait for it.
  if (process.env.PARLEY_DEBUG) process.setSourceMapsEnabled(true);
  return import(program.href);
}
