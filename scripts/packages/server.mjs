import { createServer } from 'node:net';
import { join } from 'node:path';
import { run } from '../setup/run.mjs';

async function findPort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Starts the server of an installed `@parley/cli`.
 *
 * @param {{ folder: string, temporary: string }} options @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function startServer({ folder, temporary }) {
  const port = await findPort();
  const home = join(temporary, 'server-home');
  const env = { PATH: process.env.PATH, HOME: home, PARLEY_PORT: `${port}` };
  const parley = async (command) => {
    const program = join(folder, 'node_modules', '.bin', 'parley');
    const { code, output } = await run(process.execPath, [program, command], { cwd: folder, env });
    if (code !== 0) throw new Error(`parley ${command} ended with ${code}\n${output}`);
  };
  await parley('start');
  return { url: `http://127.0.0.1:${port}`, stop: () => parley('stop') };
}
