import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'rolldown';

const PROGRAM = fileURLToPath(new URL('dist/program', import.meta.url));

/** Our modules look for files beside them and name their sources in stack traces. Bundled, they still do. */
const keepOrigin: Plugin = {
  name: 'keep-origin',
  load(id) {
    const map = `${id}.map`;
    if (id.includes('node_modules') || !existsSync(map)) return undefined;
    const origin = `new URL(${JSON.stringify(relative(PROGRAM, id))}, import.meta.url).href`;
    const { sources, ...rest } = JSON.parse(readFileSync(map, 'utf8'));
    return {
      code: readFileSync(id, 'utf8').replaceAll('import.meta.url', origin),
      map: {
        ...rest,
        sources: sources.map((source: string) => fileURLToPath(new URL(source, `file://${dirname(id)}/`))),
      },
    };
  },
};

const keepCompiled: Plugin = {
  name: 'keep-compiled',
  writeBundle() {
    execFileSync(process.execPath, [fileURLToPath(new URL('bin/warm-up.js', import.meta.url))], { stdio: 'inherit' });
  },
};

/** Both programs and, as files of their own, what a command loads when it runs (HS-15). */
export default defineConfig({
  input: { parley: 'dist/main.js', roleos: 'dist/roleos/main.js' },
  platform: 'node',
  // The server is a program of its own. The others are optional, and none of them is installed.
  external: ['@parley/app-server/run', 'pg-native', 'bufferutil', 'utf-8-validate'],
  plugins: [keepOrigin, keepCompiled],
  treeshake: {
    moduleSideEffects: [
      // Its modules only define; it does not say so itself.
      { test: /\/node_modules\/typebox\//, sideEffects: false },
      // Importing a package of ours starts nothing.
      { test: /\/(packages|apps\/server)\/[^/]*\/?dist\//, sideEffects: false },
    ],
  },
  output: {
    dir: PROGRAM,
    cleanDir: true,
    sourcemap: true,
    // Common modules: Node loads them with less ado, and V8 can keep what it compiled.
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    // What both programs always need is one file; each further file costs about a millisecond.
    codeSplitting: { groups: [{ name: 'core', tags: ['$initial'] }] },
  },
});
