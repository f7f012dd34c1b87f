import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { defineConfig, type Plugin } from 'rolldown';
import { keepOrigin, OPTIONAL, treeshake } from '../../scripts/setup/bundling.mjs';

const PROGRAM = fileURLToPath(new URL('dist/program', import.meta.url));

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
  // The server is a program of its own.
  external: ['@parley/app-server/run', ...OPTIONAL],
  plugins: [keepOrigin(PROGRAM), keepCompiled],
  treeshake,
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
