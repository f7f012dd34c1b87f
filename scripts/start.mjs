import { ensureReady } from './setup.mjs';

await ensureReady();
await import('../apps/server/dist/program/main.js');
