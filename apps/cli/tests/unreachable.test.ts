import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parley, useBuiltCommand, useFolder } from './run.ts';

useBuiltCommand();
const folder = useFolder();
const env = { PARLEY_HOME: join(folder.path, 'home') };
const login = (url: string) => ['login', '--url', url, '--email', 'ada@example.org', '--password-stdin'];

async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('TR-7, HS-7 a server that cannot be reached', () => {
  test('is exit code 3, and a sentence says why in the language of the person', async () => {
    const url = `http://127.0.0.1:${await closedPort()}`;
    const input = 'correct horse battery\n';
    const english = await parley(login(url), { env, input });
    expect(english.code).toBe(3);
    expect(english.stderr).toContain('The connection was refused');
    const chinese = await parley([...login(url), '--locale', 'zh-CN'], { env, input });
    expect(chinese.stderr).toContain('连接被拒绝');
    expect(english.stderr + chinese.stderr).not.toMatch(/correct horse|ECONNREFUSED/);
  });
});
