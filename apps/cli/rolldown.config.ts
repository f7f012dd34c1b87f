import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type RolldownOptions } from 'rolldown';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const COMMANDS = at('dist/program');
const SERVER = at('../server/dist/program');

/** Our modules look for files beside them and name their sources in stack traces. Bundled into a folder, they still do. */
const keepOrigin = (folder: string): Plugin => ({
  name: 'keep-origin',
  load(id) {
    const map = `${id}.map`;
    if (id.includes('node_modules') || !existsSync(map)) return undefined;
    const origin = `new URL(${JSON.stringify(relative(folder, id))}, import.meta.url).href`;
    const { sources, ...rest } = JSON.parse(readFileSync(map, 'utf8'));
    return {
      code: readFileSync(id, 'utf8').replaceAll('import.meta.url', origin),
      map: {
        ...rest,
        sources: sources.map((source: string) => fileURLToPath(new URL(source, `file://${dirname(id)}/`))),
      },
    };
  },
});

const keepCompiled: Plugin = {
  name: 'keep-compiled',
  writeBundle() {
    execFileSync(process.execPath, [at('bin/warm-up.js')], { stdio: 'inherit' });
  },
};

/** Asked for where they are there, and none of them is installed. */
const OPTIONAL = ['pg-native', 'bufferutil', 'utf-8-validate'];

const shared = {
  platform: 'node',
  treeshake: {
    moduleSideEffects: [
      // Importing a package of ours starts nothing.
      { test: /\/(packages|apps\/server)\/[^/]*\/?dist\//, sideEffects: false },
    ],
  },
} satisfies RolldownOptions;

/** Everything that people start, each from a few files: loading a thousand takes a second (HS-15). */
export default defineConfig([
  {
    ...shared,
    // The server and the agents that run beside it.
    input: {
      main: at('../server/dist/main.js'),
      run: at('../server/dist/run.js'),
      hashee: at('../../packages/system-agent/dist/main.js'),
      'demo-bot': at('../../examples/demo-bot/dist/main.js'),
    },
    // Machine code, files of SQL, and threads that are started by their path.
    external: ['@node-rs/argon2', 'graphile-worker', 'pino', ...OPTIONAL],
    plugins: [keepOrigin(SERVER)],
    output: { dir: SERVER, cleanDir: true, sourcemap: true, format: 'es' },
  },
  {
    ...shared,
    // Both commands and, as files of their own, what one loads when it runs.
    input: { parley: 'dist/main.js', roleos: 'dist/roleos/main.js' },
    // A program of its own.
    external: ['@parley/app-server/run', ...OPTIONAL],
    plugins: [keepOrigin(COMMANDS), keepCompiled],
    output: {
      dir: COMMANDS,
      cleanDir: true,
      sourcemap: true,
      // Common modules: Node loads them with less ado, and V8 can keep what it compiled.
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      // What both programs always need is one file; each further file costs about a millisecond.
      codeSplitting: { groups: [{ name: 'core', tags: ['$initial'] }] },
    },
  },
]);
