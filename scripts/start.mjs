import { ensureReady } from './setup.mjs';

await ensureReady();
const { main } = await import('../apps/cli/dist/main.js');
process.exitCode = await main(['tour', ...process.argv.slice(2)]);
