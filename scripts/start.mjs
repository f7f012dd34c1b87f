import { ensureReady } from './setup.mjs';

await ensureReady();
await import('../apps/cli/dist/server/main.js');
