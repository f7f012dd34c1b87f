import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { mutantPlugin } from './scripts/mutate/plugin.mjs';

const source = (name: string, entry = 'index') =>
  fileURLToPath(new URL(`./packages/${name}/src/${entry}.ts`, import.meta.url));

/** Tests that need a Postgres. */
const SERVED = [
  'packages/server/**/*.test.ts',
  'apps/server/**/*.test.ts',
  'packages/*/tests/live/**/*.test.ts',
  'apps/*/tests/live/**/*.test.ts',
];

export default defineConfig({
  plugins: [mutantPlugin()],
  resolve: {
    alias: {
      '@parley/documents/bundle': source('documents', 'bundle/index'),
      '@parley/documents/skill': source('documents', 'skill/index'),
      '@parley/documents': source('documents'),
      '@parley/protocol': source('protocol'),
      '@parley/server/storage': fileURLToPath(new URL('./packages/server/src/storage/index.ts', import.meta.url)),
      '@parley/e2ee/browser': source('e2ee', 'provider/browser'),
      '@parley/e2ee/node': source('e2ee', 'provider/node'),
      '@parley/e2ee': source('e2ee'),
      '@parley/server': source('server'),
      '@parley/guarded-fetch': source('guarded-fetch'),
      '@parley/messenger/node': source('messenger', 'node/index'),
      '@parley/messenger/browser': source('messenger', 'browser/index'),
      '@parley/messenger': source('messenger'),
      '@parley/agent/openai': source('agent', 'bridges/openai'),
      '@parley/agent/anthropic': source('agent', 'bridges/anthropic'),
      '@parley/agent/ai-sdk': source('agent', 'bridges/ai-sdk'),
      '@parley/agent/webhook': source('agent', 'webhook/index'),
      '@parley/agent': source('agent'),
      '@parley/demo-bot': fileURLToPath(new URL('./examples/demo-bot/src/demo-bot.ts', import.meta.url)),
      '@parley/client/node': source('client', 'node/index'),
      '@parley/client/browser': source('client', 'browser/index'),
      '@parley/client': source('client'),
      '@parley/bundles': source('bundles'),
      '@parley/skills/provider/node': source('skills', 'provider/node'),
      '@parley/skills/provider': source('skills', 'provider/index'),
      '@parley/skills': source('skills'),
      '@parley/system-agent': source('system-agent'),
      '@parley/testkit/browser': source('testkit', 'browser/index'),
      '@parley/testkit/conformance': source('testkit', 'conformance/index'),
      '@parley/testkit/contracts': source('testkit', 'contracts/index'),
      '@parley/testkit/hostile': source('testkit', 'hostile/index'),
      '@parley/testkit/live': source('testkit', 'live/index'),
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
        test: { name: 'server', include: SERVED, globalSetup: './packages/testkit/src/live/postgres.ts' },
      },
    ],
  },
});
