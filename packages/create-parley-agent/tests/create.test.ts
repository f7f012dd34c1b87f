import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { LOCALES } from '@parley/base';
import { type Json, validateManifest } from '@parley/documents';
import { until } from '@parley/testkit/until';
import { describe, expect, test } from 'vitest';
import { CONNECTIONS, MODELS } from '../src/choices.ts';
import { SDKS } from '../src/project.ts';
import { create, ROOT, useFolder } from './folder.ts';

const folder = useFolder();
let made = 0;
/** An empty folder for one test. */
function emptyFolder(): string {
  const path = join(folder, String(made++));
  mkdirSync(path);
  return path;
}
const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

const FILES = ['.env', '.env.example', '.gitignore', 'README.md', 'agent.mjs', 'answer.mjs', 'manifest.json'].concat([
  'package.json',
  'settings.mjs',
  'words.mjs',
]);
const COMBINATIONS = CONNECTIONS.flatMap((connection) => MODELS.map((model) => ({ connection, model })));

describe('PK-7 what it leaves', () => {
  test.each(COMBINATIONS)(
    'PK-7 $connection with $model: a manifest without findings, and what it needs',
    async (choice) => {
      const cwd = emptyFolder();
      const { connection, model } = choice;
      const { code, stdout } = await create(cwd, ['bot', '--connection', connection, '--model', model, '--json']);
      const files = [...FILES, ...(connection === 'webhook' ? ['server.mjs'] : [])].sort();
      expect(code).toBe(0);
      expect(JSON.parse(stdout)).toEqual({ folder: join(cwd, 'bot'), name: 'bot', connection, model, files });
      expect(readdirSync(cwd)).toEqual(['bot']);
      expect(readdirSync(join(cwd, 'bot')).sort()).toEqual(files);
      const manifest = readJson(join(cwd, 'bot/manifest.json')) as Json;
      for (const locale of LOCALES) expect(validateManifest(manifest, { locale }).findings).toEqual([]);
      const { version } = readJson(join(ROOT, 'packages/create-parley-agent/package.json'));
      const { devDependencies } = readJson(join(ROOT, 'package.json'));
      const own = readJson(join(cwd, 'bot/package.json'));
      expect(own).toMatchObject({
        name: 'bot',
        private: true,
        type: 'module',
        devDependencies: { '@parley/cli': version },
      });
      expect(own.dependencies).toEqual({ '@parley/agent': version, ...SDKS[model] });
      for (const [name, pinned] of Object.entries(SDKS[model])) expect(devDependencies[name]).toBe(pinned);
    },
  );

  test('PK-7 secrets have their place in a file that git ignores and nobody else can read', async () => {
    const cwd = emptyFolder();
    await create(cwd, ['bot', '--connection', 'webhook', '--model', 'openai']);
    const project = join(cwd, 'bot');
    expect(statSync(join(project, '.env')).mode & 0o777).toBe(0o600);
    const settings = readFileSync(join(project, '.env.example'), 'utf8');
    for (const name of ['PARLEY_AGENT_TOKEN', 'PARLEY_WEBHOOK_SECRET', 'OPENAI_API_KEY']) {
      expect(settings).toMatch(new RegExp(`^${name}=$`, 'm'));
    }
    spawnSync('git', ['init', '-q'], { cwd: project });
    for (const name of ['token.txt', 'my.key', '.env.local']) writeFileSync(join(project, name), 'secret');
    const { stdout } = spawnSync('git', ['ls-files', '--others', '--exclude-standard'], { cwd: project });
    expect(String(stdout).trim().split('\n').sort()).toEqual(
      [...FILES, 'server.mjs'].filter((name) => name !== '.env').sort(),
    );
  });

  test('PK-7 in the reader’s language: README, settings and sentences; the code is the same', async () => {
    const cwd = emptyFolder();
    await create(cwd, ['en', '--model', 'openai', '--connection', 'webhook'], { env: { LANG: 'en_GB.UTF-8' } });
    const { stdout } = await create(cwd, ['zh', '--model', 'openai', '--connection', 'webhook', '--locale', 'zh-CN']);
    expect(stdout).toContain('接下来');
    const differing = readdirSync(join(cwd, 'en')).filter((name) => {
      const [english, chinese] = ['en', 'zh'].map((one) => readFileSync(join(cwd, one, name), 'utf8'));
      const isChinese = /\p{Script=Han}/u.test(chinese!.replaceAll(/"zh-CN": "[^"]*"/g, ''));
      if (name !== 'answer.mjs')
        expect([name, isChinese]).toEqual([name, english !== chinese && name !== 'package.json']);
      return english !== chinese;
    });
    expect(differing.sort()).toEqual(['.env', '.env.example', 'README.md', 'package.json', 'words.mjs']);
    const keys = (one: string) => readFileSync(join(cwd, one, 'words.mjs'), 'utf8').match(/^ {2}\w+(?=:)/gm);
    expect(keys('zh')).toEqual(keys('en'));
    const blocks = (one: string) =>
      readFileSync(join(cwd, one, 'README.md'), 'utf8')
        .match(/^```sh\n[\s\S]*?^```/gm)!
        .map((block) => block.replaceAll(/\b(en|zh)\b/g, 'NAME'));
    expect(blocks('zh')).toEqual(blocks('en'));
    // What stands in angle brackets is a redirection to a shell.
    expect(blocks('en').join('')).not.toMatch(/[<>]/);
    expect(blocks('en').join('')).toContain('--agent NAME');
    for (const one of ['en', 'zh']) {
      expect(readFileSync(join(cwd, one, 'README.md'), 'utf8')).toContain('`cp .env.example .env`');
    }
  });

  test('PK-7 the last words are the commands of the README, in its order', async () => {
    const cwd = emptyFolder();
    for (const connection of CONNECTIONS) {
      const { stdout } = await create(cwd, [connection, '--connection', connection]);
      const readme = readFileSync(join(cwd, connection, 'README.md'), 'utf8');
      const commands = stdout.match(/^ {2}\S.*/gm)!.map((line) => line.trim());
      expect(commands.slice(0, 2)).toEqual([`cd ${connection}`, 'npm install']);
      expect(commands.at(-1)).toBe(`npx parley chat ${connection}`);
      const places = commands.slice(1).map((command) => readme.indexOf(`\n${command}\n`));
      expect(places).toEqual([...places].sort((a, b) => a - b));
      expect(places).not.toContain(-1);
    }
  });
});

describe('PK-7 where it writes', () => {
  test('PK-7 overwrites nothing: a folder that is not empty, a file and a link are refused with advice', async () => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, 'full'));
    writeFileSync(join(cwd, 'full/mine.txt'), 'mine');
    writeFileSync(join(cwd, 'file'), 'mine');
    symlinkSync(join(cwd, 'nowhere'), join(cwd, 'link'));
    const elsewhere = emptyFolder();
    symlinkSync(elsewhere, join(cwd, 'elsewhere'));
    for (const name of ['full', 'file', 'link', 'elsewhere', 'file/inside']) {
      const { code, stdout, stderr } = await create(cwd, [name]);
      expect([name, code, stdout]).toEqual([name, name === 'file/inside' ? 3 : 1, '']);
      expect(stderr).toContain('Nothing was changed.');
    }
    expect(readdirSync(cwd).sort()).toEqual(['elsewhere', 'file', 'full', 'link']);
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readdirSync(join(cwd, 'full'))).toEqual(['mine.txt']);
    expect(readFileSync(join(cwd, 'file'), 'utf8')).toBe('mine');
  });

  test.each(
    [
      '../x',
      'a/../../x',
      'a\nb',
      'a\u{202e}b',
      '',
      ' ',
      '..',
      '/',
      'My-Agent',
      '.hidden',
      '_x',
      'a b',
      'node_modules',
    ].concat(['nul', 'x'.repeat(65), 'name;rm', '@scope/Name', 'x.', '$(x)', '代理']),
  )('PK-7 a name that is a trick or no package name is refused before anything is written: %j', async (name) => {
    const cwd = emptyFolder();
    const { code, stdout, stderr } = await create(cwd, ['--yes', '--', name]);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).not.toMatch(/[\p{Cc}\p{Cf}](?!$)/u);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test.each(['node_modules', 'con'])('PK-7 a name that somebody else keeps is refused as such: %s', async (name) => {
    const { code, stderr } = await create(emptyFolder(), [name, '--yes']);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`keeps the name ${name} for itself`)]);
  });

  test('PK-7 a path is fine, also through folders that do not exist, and so is the empty folder one is in', async () => {
    const cwd = emptyFolder();
    expect((await create(cwd, ['agents/new/bot', '--yes'])).code).toBe(0);
    expect(readJson(join(cwd, 'agents/new/bot/package.json')).name).toBe('bot');
    const here = join(cwd, 'here');
    mkdirSync(here);
    const { code, stdout } = await create(here, ['.', '--yes']);
    expect([code, readJson(join(here, 'package.json')).name]).toEqual([0, 'here']);
    expect(stdout).not.toContain('cd ');
    expect(readdirSync(here).sort()).toEqual([...FILES].sort());
    expect(readdirSync(cwd).sort()).toEqual(['agents', 'here']);
  });
});

describe('PK-7 attack: a path that a shell would read', () => {
  test('PK-7 attack: the printed line goes to the folder and runs nothing', async () => {
    const cwd = emptyFolder();
    for (const parent of ['$(touch pwned)', '`touch pwned`', "it's; touch pwned", '"; touch pwned; "', 'a b', '*']) {
      const { code, stdout } = await create(cwd, [`${parent}/bot`, '--yes']);
      const line = /^ {2}(cd .*)$/m.exec(stdout)![1];
      const shell = spawnSync('sh', ['-c', `${line} && pwd -P`], { cwd, encoding: 'utf8' });
      expect([code, shell.stdout]).toEqual([0, `${realpathSync(join(cwd, parent, 'bot'))}\n`]);
      expect(existsSync(join(cwd, 'pwned'))).toBe(false);
    }
  });

  test.each(['~/bot', '~', '~ada/bot', '~bot', ' ~/bot'])(
    'PK-7 “~” does not become a folder of that name: %j',
    async (name) => {
      const cwd = emptyFolder();
      const { code, stdout, stderr } = await create(cwd, [name, '--yes']);
      expect([code, stdout, readdirSync(cwd)]).toEqual([2, '', []]);
      expect(stderr).toContain('Write the whole path');
    },
  );
});

describe('PK-7 the command', () => {
  test('PK-7 without a terminal it takes defaults, and says what it cannot know', async () => {
    const cwd = emptyFolder();
    const { code, stderr } = await create(cwd, []);
    expect([code, readdirSync(cwd)]).toEqual([2, []]);
    expect(stderr).toContain('create-parley-agent my-agent');
    expect((await create(cwd, ['--'])).code).toBe(2);
    expect(JSON.parse((await create(cwd, ['--json'])).stdout).error.code).toBe('FOLDER_MISSING');
    const { stdout } = await create(cwd, ['--yes', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ name: 'my-agent', connection: 'websocket', model: 'none' });
  });

  test.each([
    [['x', '--colour'], 'There is no option --colour.'],
    [['x', '--model', 'gpt'], '--model takes one of: none, openai, anthropic.'],
    [['x', '--connection'], '--connection takes one of: websocket, webhook.'],
    [['x', '--locale=fr'], '--locale takes one of: en, zh-CN.'],
    [['x', '--yes=no'], '--yes takes no value.'],
    [['x', 'y'], 'Name one folder.'],
  ])('PK-7 wrong usage is exit code 2: %j', async (args, words) => {
    const cwd = emptyFolder();
    const { code, stdout, stderr } = await create(cwd, args);
    expect([code, stdout, readdirSync(cwd)]).toEqual([2, '', []]);
    expect(stderr).toContain(words);
    expect((await create(cwd, args, { env: { LANG: 'zh_CN' } })).stderr).toMatch(/\p{Script=Han}/u);
  });

  test('PK-7 the built command: help and version in both languages, exit codes of a process, a closed input', () => {
    const bin = join(ROOT, 'packages/create-parley-agent/bin/create-parley-agent.js');
    const run = (args: string[], env = {}) =>
      spawnSync(process.execPath, [bin, ...args], { cwd: emptyFolder(), env, encoding: 'utf8', input: '' });
    expect(run(['--help'])).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(/--connection.*130/s),
    });
    expect(run(['-h'], { LANG: 'zh_CN.UTF-8' }).stdout).toContain('用法');
    expect(run(['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(run([])).toMatchObject({ status: 2, stdout: '' });
    for (const locale of LOCALES) {
      const wide = (line: string) => [...line].length + (line.match(/[\u{2e80}-\u{ffff}]/gu)?.length ?? 0);
      const lines = run(['--help', '--locale', locale]).stdout.split('\n');
      expect(lines.filter((line) => wide(line) > 84)).toEqual([]);
    }
  });
});

test('PK-7 a reader that goes away (`| head`) is no error', async () => {
  const bin = join(ROOT, 'packages/create-parley-agent/bin/create-parley-agent.js');
  const child = spawn(process.execPath, [bin, 'ok', '--yes'], { cwd: emptyFolder(), env: {} });
  child.stdout.destroy();
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  expect([errors, code]).toEqual(['', 0]);
});

/** A person at a terminal, who reads and presses keys. */
function sitDown(columns = 100) {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => input });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns, rows: 40 });
  let seen = '';
  output.setEncoding('utf8').on('data', (text: string) => {
    seen += text;
  });
  return {
    terminal: { input, output },
    read: (text: string) => until(() => expect(seen).toContain(text)),
    press: (keys: string) => void input.write(keys),
  };
}
const [ENTER, DOWN, CTRL_C] = ['\r', '\u{1b}[B', '\u{3}'];

describe('PK-7 the questions', () => {
  test('PK-7 asks for three things and takes the answers', async () => {
    const cwd = emptyFolder();
    const { terminal, read, press } = sitDown();
    const running = create(cwd, [], { terminal });
    await read('What is it called?');
    press(`Bad Name${ENTER}`);
    await read('A name has lower-case letters');
    press(`\u{15}good-bot${ENTER}`);
    await read('How is it reached?');
    press(DOWN + ENTER);
    await read('Which model answers?');
    press(DOWN + DOWN + ENTER);
    const { code, stdout } = await running;
    expect([code, readdirSync(cwd)]).toEqual([0, ['good-bot']]);
    expect(existsSync(join(cwd, 'good-bot/server.mjs'))).toBe(true);
    expect(readFileSync(join(cwd, 'good-bot/answer.mjs'), 'utf8')).toContain('@anthropic-ai/sdk');
    expect(stdout).toContain('ANTHROPIC_API_KEY');
  });

  test('PK-7 asks only for what was not given, in the reader’s language; Enter is the default', async () => {
    const cwd = emptyFolder();
    const { terminal, read, press } = sitDown();
    const running = create(cwd, ['--model', 'none'], { terminal, env: { LANG: 'zh_CN.UTF-8' } });
    await read('叫什么名字');
    press(ENTER);
    await read('如何连接');
    press(ENTER);
    expect((await running).code).toBe(0);
    expect(readdirSync(cwd)).toEqual(['my-agent']);
    expect(existsSync(join(cwd, 'my-agent/server.mjs'))).toBe(false);
  });

  test('PK-7 Ctrl-C at any question leaves nothing behind', async () => {
    for (const keys of [[], [ENTER], [ENTER, ENTER]]) {
      const cwd = emptyFolder();
      const { terminal, read, press } = sitDown();
      const running = create(cwd, [], { terminal });
      for (const [index, question] of ['What is it called?', 'How is it reached?', 'Which model'].entries()) {
        if (index > keys.length) break;
        await read(question);
        press(keys[index] ?? CTRL_C);
      }
      const { code, stdout, stderr } = await running;
      expect([code, stdout, stderr, readdirSync(cwd)]).toEqual([130, '', 'You cancelled. Nothing was written.\n', []]);
    }
  });

  test('PK-7 a terminal that does not know its width is taken for one of 80 columns', async () => {
    const { terminal, read, press } = sitDown(0);
    const running = create(emptyFolder(), ['--model', 'none'], { terminal });
    await read('What is it called? The new folder gets this name');
    press(CTRL_C);
    expect((await running).code).toBe(130);
  });

  test('PK-7 a folder that is taken is refused before any question', async () => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, 'full'));
    writeFileSync(join(cwd, 'full/mine.txt'), 'mine');
    expect((await create(cwd, ['full'], { terminal: sitDown().terminal })).code).toBe(1);
  });
});
