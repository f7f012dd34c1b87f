import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parley, useBuiltCommand, useFolder } from './run.ts';

useBuiltCommand();
const folder = useFolder();
// Run by root, Postgres is another user, who has to get through.
chmodSync(folder.path, 0o711);
const dataDir = join(folder.path, 'server');

const env = {
  PARLEY_DATA_DIR: dataDir,
  PARLEY_PORT: '0',
  // The port is another one after each start, and tokens are made for the address.
  PARLEY_PUBLIC_URL: 'http://localhost:8484',
  PARLEY_DEMO_BOT: 'false',
  PARLEY_SYSTEM_AGENT: 'false',
};
const run = async (...args: readonly string[]) => {
  const { code, stdout, stderr } = await parley([...args, '--json'], { env });
  return { code, stderr, json: stdout === '' ? undefined : JSON.parse(stdout) };
};
afterAll(() => run('stop'));

async function post(url: string, path: string, body: object) {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json(), cookie: response.headers.get('set-cookie') ?? '' };
}
const me = async (url: string, token: string) =>
  (await fetch(`${url}/auth/me`, { headers: { authorization: `Bearer ${token}` } })).status;

async function restart(): Promise<string> {
  await run('stop');
  return (await run('start')).json.url;
}

describe('OP-16 parley secrets', () => {
  test('OP-16 before the first start there are none', async () => {
    expect((await run('secrets', 'status')).code).toBe(3);
    expect((await run('secrets', 'rotate')).code).toBe(3);
  });

  test('OP-16 rotate, restart, retire: nobody has to sign in again, and the old secret opens nothing any more', async () => {
    const { url } = (await run('start')).json;
    const account = { email: 'ada@example.org', account_password: 'correct horse battery' };
    const registered = await post(url, '/auth/register', { ...account, display_name: 'Ada' });
    expect(registered.status).toBe(201);
    const old = registered.body.access_token;
    const before = readFileSync(join(dataDir, 'secrets.json'), 'utf8');

    expect((await run('secrets', 'rotate')).json).toMatchObject({ rotating: true, restart_needed: true });
    expect(await me(url, old)).toBe(200);
    // A second one would throw away what is still needed, and so would retiring it under the server.
    expect((await run('secrets', 'rotate')).code).toBe(3);
    const early = await run('secrets', 'retire');
    expect(early.code).toBe(3);

    const second = await restart();
    expect((await run('secrets', 'status')).json).toMatchObject({ rotating: true, restart_needed: false });
    expect(await me(second, old)).toBe(200);
    expect((await run('secrets', 'retire')).json).toEqual({ retired: true });
    // Until it is restarted, the server accepts what a thief may have.
    expect((await run('secrets', 'status')).json).toMatchObject({ rotating: false, restart_needed: true });

    const third = await restart();
    expect(await me(third, old)).toBe(401);
    expect((await run('secrets', 'status')).json).toMatchObject({ rotating: false, restart_needed: false });
    const cookie = registered.cookie.split(';')[0]!;
    const refreshed = await fetch(`${third}/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, origin: env.PARLEY_PUBLIC_URL },
      body: '{}',
    });
    expect(refreshed.status).toBe(200);
    const { access_token: renewed } = (await refreshed.json()) as { access_token: string };
    expect(await me(third, renewed)).toBe(200);
    const { token_secret, storage_secret } = JSON.parse(before);
    for (const secret of [token_secret, storage_secret])
      expect(readFileSync(join(dataDir, 'secrets.json'), 'utf8')).not.toContain(secret);
  });

  test('OP-16 attack: a clock that was set back does not make a server look as if it knew the new secrets', async () => {
    const state = join(dataDir, 'server.json');
    await run('secrets', 'rotate');
    // As a server wrote it that started while the clock was an hour ahead.
    const startedAt = new Date(Date.now() + 3_600_000).toISOString();
    writeFileSync(state, JSON.stringify({ ...JSON.parse(readFileSync(state, 'utf8')), startedAt }));
    expect((await run('secrets', 'status')).json).toMatchObject({ rotating: true, restart_needed: true });
    expect(await run('secrets', 'retire')).toMatchObject({ code: 3 });
    await restart();
    expect((await run('secrets', 'retire')).json).toEqual({ retired: true });
  });

  test('OP-16 for several nodes they are prepared first, and then used', async () => {
    expect((await run('secrets', 'rotate', '--prepare')).json).toMatchObject({
      prepared: true,
      rotating: false,
      restart_needed: true,
    });
    const { next } = JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'));
    expect((await run('secrets', 'rotate')).json).toMatchObject({ prepared: false, rotating: true });
    expect(JSON.parse(readFileSync(join(dataDir, 'secrets.json'), 'utf8'))).toMatchObject(next);
  });
});
