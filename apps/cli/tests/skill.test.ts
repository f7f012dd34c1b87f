import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BIN, parley, ROOT, useBuiltCommand, useFolder } from './run.ts';

useBuiltCommand();
const folder = useFolder();
const SKILLS = join(ROOT, 'examples/skills');
const TRANSLATE = join(SKILLS, 'translate.json');
const env = { PARLEY_HOME: join(folder.path, 'home') };

interface Serving {
  readonly url: string;
  stop(): Promise<number | null>;
}

/** `parley skill serve`, until the test is over. */
async function serve(file: string, handler: string, args: readonly string[] = []): Promise<Serving> {
  const { PATH = '' } = process.env;
  const child = spawn(
    process.execPath,
    [BIN, 'skill', 'serve', file, '--handler', handler, '--port', '0', '--json', ...args],
    {
      env: { PATH },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const stop = async () => {
    child.kill('SIGTERM');
    return (await ended)[0];
  };
  onTestFinished(async () => void (await stop()));
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  return { url: JSON.parse(line).url, stop };
}

/** A descriptor that names where it is really served. */
function point(file: string, url: string): string {
  const text = readFileSync(file, 'utf8').replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, url);
  return folder.write(`at-${new URL(url).port}.json`, text);
}

async function init(name: string): Promise<{ file: string; handler: string }> {
  const [file, handler] = [join(folder.path, `${name}.json`), join(folder.path, `${name}.mjs`)];
  expect((await parley(['skill', 'init', file, '--handler', handler])).code).toBe(0);
  return { file, handler };
}

describe('SD-5 parley skill validate', () => {
  test('the example is valid, and --json has exactly the promised fields', async () => {
    const { code, stdout } = await parley(['skill', 'validate', TRANSLATE, '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ valid: true, violations: [], warnings: [] });
  });

  test('lists everything at once, with field, expected, actual and message', async () => {
    const broken = { ...JSON.parse(readFileSync(TRANSLATE, 'utf8')), version: 'two', access: 'secret', 'no-such': 1 };
    const file = folder.write('broken.json', JSON.stringify(broken, null, 2));
    const { code, stdout } = await parley(['skill', 'validate', file, '--json']);
    const result = JSON.parse(stdout);
    expect(code).toBe(1);
    expect(result.valid).toBe(false);
    const fields = result.violations.map((violation: { field: string }) => violation.field);
    expect(fields).toEqual(expect.arrayContaining(['/version', '/access']));
    expect(result.warnings.map((warning: { field: string }) => warning.field)).toContain('/no-such');
    for (const violation of [...result.violations, ...result.warnings]) {
      expect(Object.keys(violation)).toEqual(['field', 'expected', 'actual', 'message']);
    }
  });

  test('in the terminal with line and column, in Chinese too', async () => {
    const file = folder.write('places.json', '{\n  "version": 1\n}');
    const { stdout } = await parley(['skill', 'validate', file, '--locale', 'zh-CN']);
    expect(stdout).toMatch(/places\.json:2:3: 错误: .*\/version\]/);
  });

  test('addresses of this machine need --development', async () => {
    const file = join(SKILLS, 'word-count.json');
    const refused = await parley(['skill', 'validate', file]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('add --development') });
    const inDevelopment = await parley(['skill', 'validate', file, '--development']);
    expect(inDevelopment).toMatchObject({ code: 0, stderr: '' });
    const { code, stderr } = await parley(['skill', 'invoke', file, '--input', 'text=one']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('add --development')]);
    const broken = folder.write('broken-skill.json', '{}');
    expect((await parley(['skill', 'validate', broken])).stderr).toBe('');
  });

  test('a file that is not there is exit code 3', async () => {
    expect(await parley(['skill', 'validate', 'nowhere.json'])).toMatchObject({ code: 3, stdout: '' });
  });
});

describe('SI-5 parley skill init, serve and invoke', () => {
  test('what init writes is valid, is served, and counts', async () => {
    const { file, handler } = await init('first');
    expect((await parley(['skill', 'validate', file, '--development', '--json'])).stdout).toContain('"valid": true');
    const { url, stop } = await serve(file, handler);
    const described = point(file, url);
    const args = ['skill', 'invoke', described, '--input', 'text=one two three', '--development'];
    const { code, stdout, stderr } = await parley([...args, '--json'], { env });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ output: { words: 3 }, execution_id: expect.any(String) });
    expect(stderr).toContain('completed');
    const show = await parley(['skill', 'show', `${url}/skills/local.word-count`, '--development'], { env });
    expect(show.stdout).toContain('Word count');
    expect(await stop()).toBe(0);
  });

  test('without --development a skill on this machine is not reached', async () => {
    const { file } = await init('guarded');
    const { code, stderr } = await parley(['skill', 'invoke', file, '-i', 'text=a'], { env });
    expect(code).toBe(1);
    expect(stderr).toContain('skill validate');
    const url = 'https://127.0.0.1:1/skills/x';
    const blocked = await parley(['skill', 'show', url], { env });
    expect(blocked).toMatchObject({ code: 3 });
    expect(blocked.stderr).toContain('--development');
  });

  test('inputs are typed by the descriptor, and what is wrong with them is told by name', async () => {
    const { file } = await init('typed');
    const { code, stderr } = await parley(['skill', 'invoke', file, '-i', 'tex=a', '--development'], { env });
    expect(code).toBe(1);
    expect(stderr).toContain('/inputs/tex: ');
    expect(stderr).toContain('VALIDATION_ERROR');
  });

  test('retries are told as they happen', async () => {
    const { file } = await init('gone');
    const gone = JSON.parse(readFileSync(file, 'utf8'));
    gone.endpoint = { ...gone.endpoint, url: 'http://127.0.0.1:9/x', retry: { max_attempts: 2, backoff_ms: 1 } };
    const target = folder.write('gone-too.json', JSON.stringify(gone));
    const { code, stderr } = await parley(['skill', 'invoke', target, '-i', 'text=a', '--development'], { env });
    expect(code).toBe(3);
    expect(stderr).toMatch(/Attempt 1 of 2 failed: ENDPOINT_UNREACHABLE/);
  });

  test('an API key: made, kept by its hash, given from standard input, never in an argument', async () => {
    const { file, handler } = await init('keyed');
    const keyed = { ...JSON.parse(readFileSync(file, 'utf8')), access: 'restricted' };
    keyed.auth = { type: 'api_key', header: 'X-API-Key' };
    writeKeyed(file, keyed);
    const keys = join(folder.path, 'keys.json');
    const { key } = JSON.parse((await parley(['skill', 'key', 'alice', '--keys', keys, '--json'])).stdout);
    expect(readFileSync(keys, 'utf8')).not.toContain(key);
    const { url } = await serve(file, handler, ['--keys', keys]);
    const described = point(file, url);
    const invoke = ['skill', 'invoke', described, '-i', 'text=a b', '--development', '--json'];
    const refused = await parley(invoke, { env });
    expect(refused).toMatchObject({ code: 1 });
    expect(JSON.parse(refused.stdout).error.message).toContain(`npx @parley/cli skill login ${url}`);
    expect((await parley(['skill', 'login', url], { env, input: `${key}\n` })).code).toBe(0);
    expect(statSync(join(env.PARLEY_HOME, 'skills.json')).mode & 0o077).toBe(0);
    const allowed = await parley(invoke, { env });
    expect(JSON.parse(allowed.stdout).output).toEqual({ words: 2 });
    expect(allowed.stdout + allowed.stderr).not.toContain(key);
    expect((await parley(['skill', 'logout', url], { env })).code).toBe(0);
    expect((await parley(invoke, { env })).code).toBe(1);
  });

  test('SD-3 a custom parameter: named when it is missing, given from standard input, sent where the list says', async () => {
    const { file } = await init('tenant');
    const seen: unknown[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers['x-tenant']);
      response.setHeader('content-type', 'application/json').end('{"output":{"words":1}}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const parameters = [{ name: 'X-Tenant', in: 'header', required: true }];
    const auth = { type: 'custom', custom: { instructions: 'Send it.', parameters } };
    const target = point(file, url);
    writeKeyed(target, { ...JSON.parse(readFileSync(target, 'utf8')), access: 'restricted', auth });
    const invoke = ['skill', 'invoke', target, '-i', 'text=a', '--development', '--json'];
    const refused = await parley(invoke, { env });
    expect(refused).toMatchObject({ code: 1 });
    const login = ['skill', 'login', url, '--parameter', 'X-Tenant'];
    expect(JSON.parse(refused.stdout).error.message).toContain(`npx @parley/cli ${login.join(' ')}`);
    expect((await parley(login, { env, input: 'acme-1\n' })).code).toBe(0);
    const allowed = await parley(invoke, { env });
    expect(JSON.parse(allowed.stdout).output).toEqual({ words: 1 });
    expect(seen).toEqual(['acme-1']);
  });

  test('serve says what is missing before it listens', async () => {
    const { file, handler } = await init('unkeyed');
    const keyed = { ...JSON.parse(readFileSync(file, 'utf8')), access: 'restricted' };
    keyed.auth = { type: 'api_key', header: 'X-API-Key' };
    writeKeyed(file, keyed);
    const unkeyed = await parley(['skill', 'serve', file, '--handler', handler, '--port', '0']);
    expect(unkeyed).toMatchObject({ code: 2 });
    expect(unkeyed.stderr).toContain('apiKeys');
    const none = await parley(['skill', 'serve', TRANSLATE, '--handler', 'nowhere.mjs']);
    expect(none).toMatchObject({ code: 3 });
  });
});

function writeKeyed(file: string, value: unknown): void {
  folder.write(file.slice(folder.path.length + 1), JSON.stringify(value));
}
