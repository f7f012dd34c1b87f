import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { startTestServer, startWebhookHost, type TestServer, type WebhookHost } from '@parley/testkit/live';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DEMOBOT as MANIFEST, parley, useBuiltCommand, useFolder } from '../run.ts';

useBuiltCommand();
const folder = useFolder();

let server: TestServer;
let host: WebhookHost;
let settings: string;
let url: string;
const run = async (...args: string[]) => {
  const env = { PARLEY_HOME: join(folder.path, 'home'), PARLEY_URL: server.url };
  const { code, stdout } = await parley([...args, '--json'], { env, input: 'correct horse battery\n' });
  return { code, json: JSON.parse(stdout) };
};
const read = () => readFileSync(settings, 'utf8');

beforeAll(async () => {
  server = await startTestServer();
  host = await startWebhookHost();
  ({ url } = host.endpoint('hook', async () => new Response(null, { status: 204 })));
  await run('register', '--email', 'ada@example.org', '--name', 'Ada', '--password-stdin');
});
afterAll(async () => {
  await host.close();
  await server.drop();
});

describe('PK-7, HS-7 the settings of an agent in a file', () => {
  test('RL-1 id and token go into a file of settings, whose other lines stay; one that has an agent is refused', async () => {
    settings = folder.write('.env', '# mine\r\nOTHER=1\nPARLEY_AGENT_ID=\nPARLEY_AGENT_TOKEN=\n');
    const created = await run('agent', 'create', 'Mine', '--settings-file', settings);
    expect(created).toMatchObject({ code: 0, json: { settings_file: settings } });
    const { agent_id } = created.json;
    const lines = [
      '# mine',
      'OTHER=1',
      `PARLEY_AGENT_ID=${agent_id}`,
      'PARLEY_AGENT_TOKEN=TOKEN',
      `PARLEY_URL=${server.url}`,
    ];
    expect(read().replace(/hsk_\w{40}/, 'TOKEN')).toBe(`${lines.join('\n')}\n`);
    expect(statSync(settings).mode & 0o777).toBe(0o600);
    const before = read();
    const again = await run('agent', 'create', 'Mine', '--settings-file', settings);
    expect(again).toMatchObject({ code: 1, json: { error: { code: 'SETTING_EXISTS' } } });
    expect(read()).toBe(before);
    expect((await run('agent', 'list')).json.agents).toHaveLength(1);
    expect(await run('agent', 'token', agent_id, '--settings-file', settings)).toMatchObject({ code: 0 });
    expect(read()).not.toBe(before);
    const both = await run('agent', 'token', agent_id, '--settings-file', settings, '--token-file', 'x');
    expect(both).toMatchObject({ code: 2, json: { error: { code: 'USAGE' } } });
  });

  test('HS-7 every command that takes an agent of one’s own takes its name', async () => {
    const { agent_id } = (await run('agent', 'list')).json.agents[0];
    expect(await run('agent', 'events', 'Mine', '--once')).toMatchObject({ code: 0 });
    expect((await run('agent', 'link', 'Mine')).json.error.code).toBe('NO_KEYS');
    expect(await run('agent', 'token', 'Mine')).toMatchObject({ code: 0, json: { agent_id } });
    expect(await run('manifest', 'push', MANIFEST, '--agent', 'Mine')).toMatchObject({ code: 0, json: { agent_id } });
    for (const args of [
      ['agent', 'events'],
      ['agent', 'link'],
      ['agent', 'token'],
      ['manifest', 'push', MANIFEST, '--agent'],
    ]) {
      expect((await run(...args, 'Nobody')).json.error.code).toBe('AGENT_UNKNOWN');
    }
  });

  test('TR-5 a webhook is set, tested and removed by the name of the agent; its secret only goes to a file', async () => {
    expect(await run('agent', 'webhook', 'test', 'Mine')).toMatchObject({
      code: 1,
      json: { error: { code: 'NOT_FOUND' } },
    });
    expect(await run('agent', 'webhook', 'set', 'Mine', url)).toMatchObject({ code: 2 });
    expect((await run('agent', 'webhook', 'set', 'Nobody', url, '--settings-file', settings)).json.error.code).toBe(
      'AGENT_UNKNOWN',
    );
    const set = await run('agent', 'webhook', 'set', 'Mine', url, '--settings-file', settings);
    expect(set).toMatchObject({ code: 0, json: { url, secret_is_new: true, settings_file: settings } });
    const [, secret] = /^PARLEY_WEBHOOK_SECRET=(whsec_.+)$/m.exec(read())!;
    expect(JSON.stringify(set.json)).not.toContain(secret);
    const moved = await run('agent', 'webhook', 'set', 'Mine', url, '--secret-file', join(folder.path, 'secret'));
    expect(moved).toMatchObject({ code: 0, json: { secret_is_new: false } });
    expect(await run('agent', 'webhook', 'test', 'Mine')).toMatchObject({ code: 0, json: { status: 'delivered' } });
    host.endpoint('hook', async () => new Response(null, { status: 500 }));
    const failed = await run('agent', 'webhook', 'test', 'Mine');
    expect(failed).toMatchObject({ code: 1, json: { last_error: 'STATUS', last_status: 500 } });
    expect(await run('agent', 'webhook', 'remove', 'Mine')).toMatchObject({ code: 0, json: { removed: true } });
    const secretFile = join(folder.path, 'secret');
    await run('agent', 'webhook', 'set', 'Mine', url, '--secret-file', secretFile);
    expect(readFileSync(secretFile, 'utf8')).toMatch(/^whsec_.+\n$/);
    expect(statSync(secretFile).mode & 0o777).toBe(0o600);
    expect((await run('agent', 'webhook', 'set', 'Mine', url, '--secret-file', secretFile)).json.error.code).toBe(
      'FILE_EXISTS',
    );
  });
});
