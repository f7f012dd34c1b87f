import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { mutantPlugin } from './scripts/mutate/plugin.mjs';
import { readEntries } from './scripts/sources.mjs';
import { chooseOrder } from './scripts/test/slow-first.mjs';

const root = fileURLToPath(new URL('.', import.meta.url));

/** Tests run on the sources, whatever was built last. */
const alias = [...readEntries(root)].map(([name, file]) => ({
  find: new RegExp(`^${name}$`),
  replacement: join(root, file),
}));

/** Tests that need a Postgres. */
const SERVED = [
  'packages/server/**/*.test.ts',
  'apps/server/**/*.test.ts',
  'packages/*/tests/live/**/*.test.ts',
  'apps/*/tests/live/**/*.test.ts',
  'scripts/packages/runtimes/*.test.mjs',
];

export default defineConfig({
  plugins: [mutantPlugin()],
  resolve: { alias },
  test: {
    // Limits are safety nets: above that of `until`, which can say what it waited for.
    testTimeout: 180_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000, interval: 20 } },
    // Twice the cores that most machines of CI have: tests wait for children, sockets and pages about a third of the time.
    maxWorkers: 4,
    // One process runs many files, one after the other, and loads what they share once: half of the time went into that.
    // So a file leaves nothing behind: no stub, no variable of the environment, no listener (HS-19).
    isolate: false,
    sequence: chooseOrder(process.argv),
    unstubGlobals: true,
    unstubEnvs: true,
    slowTestThreshold: 10_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'parts',
          include: ['packages/**/*.test.ts', 'apps/**/*.test.ts', 'scripts/**/*.test.mjs'],
          exclude: [...SERVED, '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: SERVED,
          globalSetup: './packages/testkit/src/live/postgres.ts',
          // A process is handed on only within a project, so the projects take turns.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
