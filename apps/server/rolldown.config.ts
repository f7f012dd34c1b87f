import { fileURLToPath } from 'node:url';
import { defineConfig } from 'rolldown';
import { keepOrigin, OPTIONAL, treeshake } from '../../scripts/setup/bundling.mjs';

const PROGRAM = fileURLToPath(new URL('dist/program', import.meta.url));
const main = (name: string) => fileURLToPath(import.meta.resolve(name));

/** The server and the agents that run beside it, each from a few files: loading a thousand takes a second (HS-15). */
export default defineConfig({
  input: {
    main: 'dist/main.js',
    run: 'dist/run.js',
    hashee: main('@parley/system-agent/main'),
    'demo-bot': main('@parley/demo-bot/main'),
  },
  platform: 'node',
  // Machine code, files of SQL, and threads that are started by their path.
  external: ['@node-rs/argon2', 'graphile-worker', 'pino', ...OPTIONAL],
  plugins: [keepOrigin(PROGRAM)],
  treeshake,
  output: { dir: PROGRAM, cleanDir: true, sourcemap: true, format: 'es' },
});
