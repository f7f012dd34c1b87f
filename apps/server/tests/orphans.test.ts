import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { prepare } from '../../../scripts/setup.mjs';
import { programFile } from '../src/layout.ts';
import { LOCAL_AGENTS } from '../src/local-agent-names.ts';
import { ROOT } from './process.ts';

let folder: string;
let silent: Server;

beforeAll(() => prepare(ROOT, { install: false, quiet: true }));
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-orphan-'));
  silent = createServer((socket) => socket.on('error', () => {}));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  silent.close();
  rmSync(folder, { recursive: true, force: true });
});

test.each(LOCAL_AGENTS)('OP-11 a server that is killed while its agent starts leaves no %s behind', async (name) => {
  const taken = once(silent, 'connection');
  const child = spawn(process.execPath, [programFile(name)], {
    env: {
      PARLEY_URL: `http://127.0.0.1:${(silent.address() as AddressInfo).port}`,
      PARLEY_AGENT_ID: '00000000-0000-7000-8000-000000000002',
      PARLEY_AGENT_TOKEN: `agt_${'a'.repeat(40)}`,
      PARLEY_KEYSTORE: folder,
    },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  try {
    const ended = once(child, 'exit');
    // It has opened its keystore, and waits for the server.
    await Promise.race([taken, ended.then(() => expect.fail('it has ended by itself'))]);
    child.disconnect();
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
});
