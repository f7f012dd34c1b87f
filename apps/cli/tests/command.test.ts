import { spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { displayWidth } from '../src/fit-text.ts';
import { en } from '../src/messages/en.ts';
import { zhCN } from '../src/messages/zh-CN.ts';
import { BIN, BROKEN, DEMOBOT, NEXT, parley, useBuiltCommand, useFolder } from './run.ts';

useBuiltCommand();
const folder = useFolder();

const COMMANDS = [
  { path: ['manifest', 'init'], help: 'init' },
  { path: ['manifest', 'validate'], help: 'validate' },
  { path: ['manifest', 'diff'], help: 'diff' },
  { path: ['manifest', 'hash'], help: 'hash' },
  { path: ['manifest', 'preview'], help: 'preview' },
  { path: ['manifest'], help: 'manifest' },
  { path: ['start'], help: 'start' },
  { path: ['stop'], help: 'stop' },
  { path: ['status'], help: 'status' },
  { path: ['backup'], help: 'backup' },
  { path: ['restore'], help: 'restore' },
  { path: ['secrets'], help: 'secrets' },
  { path: ['secrets', 'status'], help: 'secrets.status' },
  { path: ['secrets', 'rotate'], help: 'secrets.rotate' },
  { path: ['secrets', 'retire'], help: 'secrets.retire' },
  { path: ['admin'], help: 'admin' },
  { path: ['admin', 'grant'], help: 'grant' },
  { path: ['admin', 'accounts'], help: 'admin.accounts' },
  { path: ['admin', 'show'], help: 'admin.show' },
  { path: ['admin', 'suspend'], help: 'admin.suspend' },
  { path: ['admin', 'resume'], help: 'admin.resume' },
  { path: ['admin', 'sign-out'], help: 'admin.sign_out' },
  { path: ['admin', 'revoke'], help: 'admin.revoke' },
  { path: ['admin', 'audit'], help: 'admin.audit' },
  { path: ['admin', 'reset-link'], help: 'admin.reset_link' },
  { path: ['admin', 'invitations'], help: 'admin.invitations' },
  { path: ['admin', 'invitations', 'create'], help: 'admin.invitations.create' },
  { path: ['admin', 'invitations', 'list'], help: 'admin.invitations.list' },
  { path: ['admin', 'invitations', 'revoke'], help: 'admin.invitations.revoke' },
  { path: ['admin', 'quota'], help: 'admin.quota' },
  { path: ['tour'], help: 'tour' },
  { path: [], help: 'parley' },
] as const;

describe('HS-7 --help', () => {
  test.each(COMMANDS)('of $help says how to use it, in both languages', async ({ path, help }) => {
    const english = await parley([...path, '--help']);
    expect(english).toMatchObject({ code: 0, stderr: '' });
    expect(english.stdout).toContain(`Usage: ${['parley', ...path].join(' ')}`);
    expect(english.stdout).toContain(en[`help.${help}`]);
    expect(english.stdout).toContain(en[`help.${help}.more`]);
    expect(english.stdout).toMatch(/--json\b/);
    const chinese = await parley([...path, '--help', '--locale', 'zh-CN']);
    expect(chinese.stdout).toContain(zhCN[`help.${help}.more`]);
    expect(chinese.stdout).not.toMatch(/Usage:|Options:|Commands:|Arguments:/);
  });

  test('shows an example for every command', async () => {
    for (const { help } of COMMANDS)
      expect(en[`help.${help}.more`]).toMatch(/^ {2}(git show .* \| |cat .* \| )?parley /m);
  });

  test('fits into 80 columns', async () => {
    for (const { path } of COMMANDS) {
      for (const locale of ['en', 'zh-CN']) {
        const { stdout } = await parley([...path, '--help', '--locale', locale]);
        expect(stdout.split('\n').filter((line) => displayWidth(line) > 80)).toEqual([]);
      }
    }
  });
});

describe('HS-7 usage errors are exit code 2', () => {
  test.each([
    [['manifest', 'vaildate'], /Did you mean validate\?/],
    [['manifest', 'validate', '--jsno'], /no option --jsno[\s\S]*Did you mean --json/],
    [['manifest', 'diff', 'one.json'], /argument new is missing/],
    [['--locale', 'fr', 'tour'], /one of: en, zh-CN/],
    [['manifest', 'diff', 'a', 'b', '--policy'], /--policy <policy> needs a value/],
    [['tour', 'somewhere'], /Too many arguments/],
  ])('%j', async (args, words) => {
    const { code, stdout, stderr } = await parley(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(words);
    expect(stderr).toMatch(/See: npx @parley\/cli.* --help/);
    const json = await parley([...args, '--json']);
    expect(json).toMatchObject({ code: 2, stderr: '' });
    expect(JSON.parse(json.stdout)).toEqual({ error: { code: 'USAGE', message: expect.stringMatching(words) } });
  });

  test('no command at all is answered with the list of them', async () => {
    for (const args of [[], ['manifest']]) {
      const { code, stdout, stderr } = await parley(args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toContain('Commands:');
    }
  });

  test('are said in Chinese too', async () => {
    const { stderr } = await parley(['manifest', 'vaildate', '--locale', 'zh-CN']);
    expect(stderr).toBe('没有命令 vaildate。\n是否想输入 validate？\n参见：npx @parley/cli manifest --help\n');
  });
});

test('HS-7 --version prints the version', async () => {
  expect((await parley(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect(JSON.parse((await parley(['--version', '--json'])).stdout)).toEqual({ version: expect.any(String) });
});

describe('HS-7 hash', () => {
  test('prints just the hex of one file, as sha256sum does of several', async () => {
    const one = await parley(['manifest', 'hash', DEMOBOT]);
    expect(one.stdout).toMatch(/^[0-9a-f]{64}\n$/);
    const two = await parley(['manifest', 'hash', DEMOBOT, NEXT]);
    expect(two.stdout.split('\n')[0]).toBe(`${one.stdout.trim()}  ${DEMOBOT}`);
    expect(two.stdout.split('\n')).toHaveLength(3);
  });

  test('prints { hash } or { files } with --json', async () => {
    expect(JSON.parse((await parley(['manifest', 'hash', DEMOBOT, '--json'])).stdout)).toEqual({
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const { code, stdout } = await parley(['manifest', 'hash', DEMOBOT, BROKEN, 'nowhere.json', '--json']);
    expect(code).toBe(3);
    expect(JSON.parse(stdout)).toEqual({
      files: [
        { file: DEMOBOT, hash: expect.any(String) },
        { file: BROKEN, error: { code: 'MANIFEST_INVALID', message: expect.any(String) }, findings: expect.any(Array) },
        { file: 'nowhere.json', error: { code: 'FILE_NOT_FOUND', message: expect.any(String) } },
      ],
    });
  });

  test('gives no hash of a manifest that is not valid: findings on standard error, exit code 1', async () => {
    const { code, stdout, stderr } = await parley(['manifest', 'hash', BROKEN]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('TOOL_NAME_INVALID');
  });
});

describe('HS-7 preview', () => {
  test('shows the consent screen in both languages', async () => {
    const english = await parley(['manifest', 'preview', DEMOBOT]);
    expect(english.code).toBe(0);
    expect(english.stdout).toContain('Open web addresses');
    const chinese = await parley(['manifest', 'preview', '--locale', 'zh-CN'], {
      input: JSON.stringify({ schema_version: '1.0', agent_version: '1.0.0', tools: [], permission_scopes: [] }),
    });
    expect(chinese.code).toBe(0);
    expect(chinese.stdout).toMatch(/\p{Script=Han}/u);
  });

  test('prints the screen as data with --json, in snake_case', async () => {
    const screen = JSON.parse((await parley(['manifest', 'preview', DEMOBOT, '--json'])).stdout);
    expect(screen).toMatchObject({ locale: 'en', agent_version: '1.0.0' });
    expect(screen.groups[0].scopes[0].tools[0]).toMatchObject({
      name: 'fetch_url',
      timeout_ms: 15000,
      accepts_more: false,
    });
    expect(JSON.stringify(screen)).not.toMatch(/"[a-z]+[A-Z]\w*":/);
  });
});

describe('HS-8 tour', () => {
  test('runs through without a terminal, in both languages, and ends with what to type next', async () => {
    const english = await parley(['tour']);
    expect(english).toMatchObject({ code: 0, stderr: '' });
    for (const part of ['fetch_url', 'is valid.', 'is not valid', 'Breaking:', 'Open web addresses']) {
      expect(english.stdout).toContain(part);
    }
    expect(english.stdout.trimEnd().split('\n').at(-1)).toContain('npx @parley/cli --help');
    const chinese = await parley(['tour'], { env: { LC_ALL: 'zh_CN.UTF-8' } });
    expect(chinese.stdout).toContain(zhCN['tour.title']);
    expect(chinese.stdout).not.toMatch(/is valid|Breaking/);
  });

  test('works from any folder, and prints its steps with --json', async () => {
    const { code, stdout } = await parley(['tour', '--json'], { cwd: folder.path });
    expect(code).toBe(0);
    const ids = JSON.parse(stdout).steps.map((step: { id: string }) => step.id);
    expect(ids).toEqual(['intro', 'validate', 'broken', 'diff', 'preview', 'next']);
  });
});

test('HS-7 a reader that goes away ends the command silently', async () => {
  const files = Array.from({ length: 200 }, () => BROKEN);
  const child = spawn(process.execPath, [BIN, 'manifest', 'validate', ...files], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdout.once('data', () => child.stdout.destroy());
  const code = await new Promise((resolve) => {
    child.on('close', resolve);
  });
  expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
});

test('HS-7 a mistake inside the command is told in a sentence; only PARLEY_DEBUG shows the stack', async () => {
  const sabotage = folder.write('sabotage.mjs', "Buffer.concat = () => { throw new TypeError('oops'); };");
  const env = { NODE_OPTIONS: `--import=${pathToFileURL(sabotage)}` };
  const hidden = await parley(['manifest', 'hash', DEMOBOT], { env });
  expect(hidden.code).toBe(3);
  expect(hidden.stderr).toBe('Something went wrong inside parley: oops\nSet PARLEY_DEBUG=1 to see where.\n');
  const shown = await parley(['manifest', 'hash', DEMOBOT], { env: { ...env, PARLEY_DEBUG: '1' } });
  expect(shown.stderr).toMatch(/^\s+at /m);
  const json = await parley(['manifest', 'hash', DEMOBOT, '--json'], { env });
  expect(JSON.parse(json.stdout)).toEqual({ error: { code: 'INTERNAL', message: expect.stringContaining('oops') } });
});
