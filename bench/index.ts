import { tmpdir } from 'node:os';
import { removeAbandonedClusters } from '@parley/server/storage';
import { type Runner, runBenches } from './runner.ts';

const BENCHES: Runner['benches'] = {
  canonicalise: () => import('./canonicalise.ts'),
  parse: () => import('./parse.ts'),
  validate: () => import('./validate.ts'),
  diff: () => import('./diff.ts'),
  arguments: () => import('./arguments.ts'),
  e2ee: () => import('./e2ee.ts'),
  bundles: () => import('./bundles.ts'),
  skills: () => import('./skills.ts'),
  'skills-provider': () => import('./skills-provider.ts'),
  stores: () => import('./stores.ts'),
  memory: () => import('./memory.ts'),
  start: () => import('./start.ts'),
  'tool-call': () => import('./tool-call.ts'),
  'server-agents': () => import('./server-agents.ts'),
  'server-claims': () => import('./server-claims.ts'),
  'server-reauth': () => import('./server-reauth.ts'),
  'server-relay': () => import('./server-relay.ts'),
  'server-skills': () => import('./server-skills.ts'),
  'server-sockets': () => import('./server-sockets.ts'),
  web: () => import('./web.ts'),
};

const HOUR_MS = 60 * 60_000;

// A bench that was stopped leaves the files of its database behind.
await removeAbandonedClusters(tmpdir(), { prefixes: ['parley-bench-'], idleMs: HOUR_MS });
const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupt.abort());
const code = await runBenches({
  benches: BENCHES,
  args: process.argv.slice(2),
  print: (text) => console.log(text),
  tell: (line) => console.error(line),
  signal: interrupt.signal,
});
// Servers and child processes of a bench that was stopped would keep this process alive.
if (interrupt.signal.aborted) process.exit(code);
process.exitCode = code;
