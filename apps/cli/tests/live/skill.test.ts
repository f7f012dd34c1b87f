import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parley, ROOT, useBuiltCommand, useFolder } from '../run.ts';

useBuiltCommand();
const folder = useFolder();
const TRANSLATE = join(ROOT, 'examples/skills/translate.json');
const EXAMPLE = JSON.parse(readFileSync(TRANSLATE, 'utf8')) as { id: string; version: string; name: string };
const PASSWORD = 'correct horse battery';

let server: TestServer;
let env: Record<string, string>;

beforeAll(async () => {
  server = await startTestServer();
  env = { PARLEY_HOME: join(folder.path, 'home'), PARLEY_URL: server.url };
  const account = { email: 'ada@example.org', account_password: PASSWORD, display_name: 'Ada' };
  expect((await server.call('POST', '/auth/register', { body: account })).status).toBe(201);
  const args = ['login', '--email', account.email, '--password-stdin', '--first-device', '--url', server.url];
  const signedIn = await parley(args, { env, input: `${PASSWORD}\n` });
  expect(signedIn).toMatchObject({ code: 0 });
});
afterAll(() => server.drop());

const run = async (...args: string[]) => {
  const result = await parley(['skill', ...args, '--json'], { env });
  return { ...result, json: JSON.parse(result.stdout) };
};

describe('SD-7 parley skill publish', () => {
  test('outside of one’s own namespaces it is refused; --claim claims it; then it is found and shown', async () => {
    expect((await run('publish', TRANSLATE)).json.error.code).toBe('FORBIDDEN');
    const published = await run('publish', TRANSLATE, '--claim', 'com.example');
    expect(published.code).toBe(0);
    expect(published.json).toMatchObject({ id: EXAMPLE.id, version: EXAMPLE.version });
    const found = await run('search', 'translat', '--type', 'api');
    expect(found.json.skills.map(({ id }: { id: string }) => id)).toEqual([EXAMPLE.id]);
    const shown = await run('show', EXAMPLE.id, '--at', EXAMPLE.version);
    expect(shown.json).toEqual(EXAMPLE);
    expect((await parley(['skill', 'search', '--mine'], { env })).stdout).toContain(EXAMPLE.name);
  });

  test('a breaking change without a major version is refused', async () => {
    await run('publish', TRANSLATE, '--claim', 'com.example');
    const next = { ...EXAMPLE, version: `${EXAMPLE.version.split('.')[0]}.99.0`, inputs: [] };
    const { code, json } = await run('publish', folder.write('next.json', JSON.stringify(next)));
    expect(code).toBe(1);
    expect(json.error.code).toBe('VERSION_BUMP_NEEDED');
  });

  test('what is not valid is not sent, and an unknown skill is told as that', async () => {
    const { json } = await run('publish', folder.write('empty.json', '{}'));
    expect(json.error.code).toBe('VALIDATION_ERROR');
    expect(json.error.violations.length).toBeGreaterThan(5);
    expect((await run('show', 'com.example.never')).json.error.code).toBe('SKILL_NOT_FOUND');
  });
});
