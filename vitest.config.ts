import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { mutantPlugin } from './scripts/mutate/plugin.mjs';

const source = (name: string, entry = 'index') =>
  fileURLToPath(new URL(`./packages/${name}/src/${entry}.ts`, import.meta.url));

/** Tests that need a Postgres. */
const SERVED = ['packages/server/**/*.test.ts', 'apps/server/**/*.test.ts'];

export default defineConfig({
  plugins: [mutantPlugin()],
  resolve: {
    alias: {
      '@parley/documents': source('documents'),
      '@parley/protocol': source('protocol'),
      '@parley/server/storage': fileURLToPath(new URL('./packages/server/src/storage/index.ts', import.meta.url)),
      '@parley/e2ee/browser': source('e2ee', 'provider/browser'),
      '@parley/e2ee/node': source('e2ee', 'provider/node'),
      '@parley/e2ee': source('e2ee'),
      '@parley/server': source('server'),
      '@parley/testkit': source('testkit'),
    },
  },
  test: {
    testTimeout: 60_000,
    hookTimeout: 120_000,
    maxWorkers: 2,
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
        test: { name: 'server', include: SERVED, globalSetup: './packages/server/tests/harness/postgres.ts' },
      },
    ],
  },
});
