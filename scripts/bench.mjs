// Every figure we claim, measured here and now, beside a peer or the physical limit.
import { ensureReady } from './setup.mjs';

await ensureReady();
await import('../bench/dist/index.js');
