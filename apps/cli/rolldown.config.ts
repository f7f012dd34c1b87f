import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin, type RolldownOptions } from 'rolldown';
import { keepLicences } from '../../scripts/setup/third-party.mjs';

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const HASHEE = at('../../packages/system-agent');
const DEMO_BOT = at('../../examples/demo-bot');

/** What the compiler wrote has maps of its own, so that the maps of the bundle name the sources. */
const readMaps: Plugin = {
  name: 'read-maps',
  load(id) {
    const map = `${id}.map`;
    if (id.includes('node_modules') || !existsSync(map)) return undefined;
    const { sources, ...rest } = JSON.parse(readFileSync(map, 'utf8'));
    return {
      code: readFileSync(id, 'utf8'),
      map: {
        ...rest,
        sources: sources.map((source: string) => fileURLToPath(new URL(source, `file://${dirname(id)}/`))),
      },
    };
  },
};

/** The server reads what its agents declare before it starts them. */
const addManifests: Plugin = {
  name: 'add-manifests',
  generateBundle() {
    for (const [agent, folder] of Object.entries({ hashee: HASHEE, 'demo-bot': DEMO_BOT })) {
      const source = readFileSync(`${folder}/manifest.json`);
      this.emitFile({ type: 'asset', fileName: `${agent}.json`, source });
    }
  },
};

const addExamples: Plugin = {
  name: 'add-examples',
  writeBundle() {
    rmSync(at('dist/examples'), { recursive: true, force: true });
    for (const kind of ['manifests', 'bundles', 'skills'])
      cpSync(at(`../../examples/${kind}`), at(`dist/examples/${kind}`), { recursive: true });
  },
};

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

/** Everything that people start (PK-4), each from a few files: loading a thousand takes a second (HS-15). */
export default defineConfig([
  {
    ...shared,
    // The server, its worker threads, the agents that run beside it, and what looks after its Postgres.
    input: {
      main: at('../server/dist/main.js'),
      run: at('../server/dist/run.js'),
      hashee: `${HASHEE}/dist/main.js`,
      'demo-bot': `${DEMO_BOT}/dist/main.js`,
      'manifest-worker': at('../../packages/server/dist/manifests/worker.js'),
      supervisor: at('../../packages/server/dist/storage/embedded/supervisor.js'),
    },
    // Machine code, and files of SQL that are found by their path: the dependencies of this package.
    external: ['@node-rs/argon2', 'graphile-worker', ...OPTIONAL],
    plugins: [readMaps, addManifests, keepLicences('server', ['rolldown'])],
    output: { dir: at('dist/server'), cleanDir: true, sourcemap: true, format: 'es' },
  },
  {
    ...shared,
    // Both commands and, as files of their own, what one loads when it runs.
    input: { parley: 'dist/modules/main.js', roleos: 'dist/modules/roleos/main.js' },
    // A program of its own.
    external: ['@parley/app-server/run', ...OPTIONAL],
    plugins: [readMaps, keepLicences('commands', ['rolldown']), addExamples, keepCompiled],
    output: {
      dir: at('dist/program'),
      cleanDir: true,
      sourcemap: true,
      paths: { '@parley/app-server/run': '../server/run.js' },
      // Common modules: Node loads them with less ado, and V8 can keep what it compiled.
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: '[name]-[hash].cjs',
      // What both programs always need is one file; each further file costs about a millisecond.
      codeSplitting: { groups: [{ name: 'core', tags: ['$initial'] }] },
    },
  },
]);
