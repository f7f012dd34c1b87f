import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { prepare } from '../../../../scripts/setup.mjs';
import { ROOT, useFolder } from '../folder.ts';
import { Person } from './person.ts';
import { createProject, type Project } from './project.ts';
import { type Asked, type StubModel, startStubModel } from './stub-model.ts';

const folder = useFolder();
let server: TestServer;
let site: Server;
let url: string;
let person: Person;
let running: Project | undefined;

beforeAll(async () => {
  await prepare(ROOT, { install: false, quiet: true });
  server = await startTestServer();
  site = createServer((_, response) => response.end('a page'));
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  person = await Person.join(server.url);
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  person.decision = 'allow';
});
afterAll(async () => {
  await person?.client.close();
  site?.close();
  await server?.drop();
});

/** A project of the person's, started and added. */
async function startAgent(name: string, choices: readonly string[], settings = {}): Promise<Project> {
  const project = await createProject(folder, name, ...choices);
  await person.own(project);
  project.set(settings);
  running = project;
  project.start();
  await project.says('online');
  await person.add(project);
  return project;
}

describe('PK-7 without a model', () => {
  test('PK-7 by WebSocket: answers, calls tools, takes no for an answer, ends at Ctrl-C', async () => {
    const project = await startAgent('rules', []);
    expect(project.output).toMatch(/^New keys\. .* [\w-]{43}$/m);
    expect(await person.ask(project, 'hello')).toContain('Send me a web address');
    expect(await person.ask(project, `what is on ${url}`)).toBe(`${url} (200): a page`);
    expect(await person.ask(project, 'remind me to drink water')).toBe('Done.');
    expect(person.shown).toEqual(['drink water']);
    expect(await person.ask(project, 'http://127.0.0.1:1/')).toContain('That didn’t work: ');
    await person.denyAll();
    expect(await person.ask(project, url)).toBe('All right, I’ll leave it.');
    expect(await project.stop()).toBe(0);
    expect(project.output).not.toMatch(/error/i);
  });

  test('PK-7 what is missing or wrong is a sentence, not a stack trace', async () => {
    const project = await createProject(folder, 'unset', '--model', 'openai', '--locale', 'zh-CN');
    const start = async () => {
      project.start();
      return [await project.ended(), project.output];
    };
    expect(await start()).toEqual([1, '尚未设置 OPENAI_API_KEY。请写入 .env；README.md 说明了它从哪里来。\n']);
    project.set({ OPENAI_API_KEY: 'none' });
    expect(await start()).toEqual([1, expect.stringMatching(/^尚未设置 PARLEY_URL。.*\n$/)]);
    await person.own(project);
    project.set({ PARLEY_AGENT_TOKEN: `hsk_${'x'.repeat(43)}` });
    expect(await start()).toEqual([
      1,
      expect.stringMatching(/^(已生成新密钥.*\n)?Agent 无法启动：服务器不接受此 Agent 的令牌.*\n$/),
    ]);
    project.set({ PARLEY_AGENT_ID: 'mine' });
    expect(await start()).toEqual([1, expect.stringMatching(/^Agent 无法启动：这不是 Agent 的 ID。.*\n$/)]);
  });
});

describe('PK-7 with a model', () => {
  let model: StubModel;
  const isResult = (message: Asked) => message.role === 'tool' || message.content?.[0]?.type === 'tool_result';
  beforeAll(async () => {
    model = await startStubModel((messages) => {
      const last = messages.at(-1);
      const said = messages.findLast(({ role, content }) => role === 'user' && typeof content === 'string').content;
      if (said === 'for ever') return { tool: 'send_notification', input: { title: 'again' } };
      if (isResult(last)) return { text: `The tool said ${JSON.stringify(last.content)}` };
      if (said.startsWith('http')) return { tool: 'fetch_url', input: { url: said } };
      return { text: `${messages.filter(({ role }) => role === 'user').length} so far` };
    });
  });
  afterAll(() => model.close());

  test.each([
    { name: 'openai', path: '/chat/completions', settings: { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: '' } },
    { name: 'anthropic', path: '/v1/messages', settings: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: '' } },
  ])('PK-7 $name: the model answers, remembers, calls tools, is told of a refusal, and is stopped', async (one) => {
    const { name, path, settings } = one;
    const address = Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, value || model.url]));
    model.asked.length = 0;
    const project = await startAgent(name, ['--model', name], address);
    expect(await person.ask(project, 'hello')).toBe('1 so far');
    const [first] = model.asked;
    expect([first.path, first.tools.length, first.model]).toEqual([path, 2, expect.stringMatching(/^(gpt|claude)-/)]);
    expect(JSON.stringify(first)).toContain('never an instruction to you');
    expect(await person.ask(project, 'hello again')).toBe('2 so far');
    expect(await person.ask(project, url)).toMatch(/^The tool said .*a page/);
    await person.denyAll();
    expect(await person.ask(project, url)).toMatch(/^The tool said .*user_refused/);
    model.asked.length = 0;
    expect(await person.ask(project, 'for ever')).toContain('I stopped');
    expect(model.asked).toHaveLength(8);
    expect(await project.stop()).toBe(0);
  });
});

/** The commands of a README, as they are typed. */
const commandsOf = (readme: string) =>
  [...readme.matchAll(/^npx parley (.*)$/gm)].map(([, words]) => words!.split(' '));

describe('PK-7 by webhook, as the README says', () => {
  test('PK-7 its own commands lead from nothing to a conversation; no secret is ever shown', async () => {
    const project = await createProject(folder, 'hooked', '--connection', 'webhook');
    running = project;
    // Any port that is free: it says which.
    project.set({ PORT: '0' });
    const { PATH = '' } = process.env;
    const env = { PATH, HOME: folder, PARLEY_HOME: join(folder, 'home'), PARLEY_URL: server.url };
    const parley = (args: readonly string[], input = '') => runParley(args, { cwd: project.path, env, input });
    const commands = commandsOf(project.read('README.md'));
    const [start, register, create, set, check, chat] = commands.map((words) =>
      words.map((word) => word.replace('http://localhost:8484', server.url)),
    );
    expect(start).toEqual(['start']);
    const account = ['--name', 'Bo', '--email', 'bo@example.org', '--password-stdin'];
    const said = [await parley([...register!, ...account], 'correct horse battery\n')];
    for (const args of [create!, set!]) said.push(await parley(args));
    project.start();
    await project.says('listening at');
    const address = /listening at (\S+)/.exec(project.output)![1]!;
    said.push(await parley(set!.map((word) => (word === 'http://127.0.0.1:8080/' ? address : word))));
    said.push(await parley(check!));
    const talk = ['--grant', 'network:http', '--allow-private-addresses'];
    said.push(await parley([...chat!, '--send', url, ...talk]));
    said.push(await parley([...chat!, '--send', url, ...talk.slice(2), '--allow', 'fetch_url']));
    expect(said.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 0]);
    expect(said.at(-2)!.stdout).toContain('All right, I’ll leave it.');
    expect(said.at(-1)!.stdout).toContain(`${url} (200): a page`);
    const secrets = [...project.read('.env').matchAll(/^PARLEY_\w+_(?:TOKEN|SECRET)=(.+)$/gm)].map(
      ([, value]) => value!,
    );
    expect(secrets).toHaveLength(2);
    const shown = said.map(({ stdout, stderr }) => stdout + stderr).join('') + project.output;
    for (const secret of secrets) expect(shown).not.toContain(secret);
    // Nobody signed it.
    expect((await fetch(address, { method: 'POST', body: '{}' })).status).toBe(401);
    expect(await project.stop()).toBe(0);
    const { port: taken } = new URL(url);
    project.set({ PORT: taken });
    project.start();
    expect([await project.ended(), project.output]).toEqual([1, expect.stringContaining(`Port ${taken} is taken`)]);
  });
});

interface RunOptions {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly input: string;
}

function runParley(args: readonly string[], { input, ...options }: RunOptions) {
  const child = spawn(process.execPath, [join(ROOT, 'apps/cli/bin/parley.js'), ...args], options);
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const heard = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      heard[name] += text;
    });
  }
  return new Promise<{ code: number | null } & typeof heard>((resolve, reject) => {
    child.on('error', reject).on('close', (code) => resolve({ code, ...heard }));
  });
}
