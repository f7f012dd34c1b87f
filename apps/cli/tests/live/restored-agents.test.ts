import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parley, useBuiltCommand, useFolder } from '../run.ts';

useBuiltCommand();
const folder = useFolder();
// Run by root, Postgres is another user, who has to get through.
chmodSync(folder.path, 0o711);
const at = (name: string) => join(folder.path, name);
const [first, second, third, fourth] = [at('first'), at('second'), at('third'), at('fourth')];
let port = '';

beforeAll(async () => {
  port = await new Promise<string>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as { port: number };
      probe.close(() => resolve(String(free)));
    });
  });
});
afterAll(async () => {
  for (const dataDir of [first, second, third, fourth]) await run(['stop'], dataDir);
});

const run = (args: readonly string[], dataDir: string, input = '') =>
  parley(args, {
    input,
    env: { PARLEY_DATA_DIR: dataDir, PARLEY_PORT: port, PARLEY_HOME: at('home'), PARLEY_REGISTRATION: 'open' },
  });
const succeed = async (args: readonly string[], dataDir: string, input?: string) => {
  const { code, stdout, stderr } = await run(args, dataDir, input);
  expect(code, `${stdout}${stderr}`).toBe(0);
  return stdout;
};
const ask = (dataDir: string) => succeed(['chat', 'DemoBot', '--send', 'where am I', ...WHERE], dataDir);
const WHERE = ['--grant', 'location:read', '--allow', 'read_location', '--location', '31.23,121.47'];
const ANSWER = 'You are at 31.230, 121.470\n';
const logsOf = (dataDir: string) =>
  ['hashee', 'demo-bot'].map((name) => readFileSync(join(dataDir, `${name}.log`), 'utf8'));
const online = (dataDir: string) =>
  until(() => expect(logsOf(dataDir)).toEqual(['Hashee: online\n', 'DemoBot: online\n']));

describe('OP-11 the server’s own agents after a restore', () => {
  test('OP-11 a backup that was taken while they ran brings them back with their keys, and they answer', async () => {
    await succeed(['start'], first);
    await online(first);
    const url = `http://127.0.0.1:${port}`;
    const registration = ['register', '--url', url, '--name', 'Ada', '--email', 'ada@example.org', '--password-stdin'];
    await succeed(registration, first, 'correct horse battery\n');
    expect(await ask(first)).toBe(ANSWER);
    const written = await succeed(['backup', at('whole.backup'), '--with-secrets'], first);
    expect(written).toContain('Keystores of the server’s own agents in it: 2.');
    await succeed(['backup', at('bare.backup')], first);
    // What was said since is lost with the old server; the person's keys have moved on.
    expect(await ask(first)).toBe(ANSWER);
    await succeed(['stop'], first);

    const restored = JSON.parse(await succeed(['restore', at('whole.backup'), '--json'], second));
    expect(restored).toMatchObject({ secrets_restored: true, keystores_restored: 2 });
    await succeed(['start'], second);
    await online(second);
    // Her session has been renewed since the backup, too.
    const login = ['login', '--url', url, '--email', 'ada@example.org', '--password-stdin'];
    await succeed(login, second, 'correct horse battery\n');
    expect(await ask(second)).toBe(ANSWER);
    await succeed(['stop'], second);
  }, 180_000);

  test('OP-11 without their keystores they make new keys, instead of ending again and again', async () => {
    const restored = JSON.parse(await succeed(['restore', at('bare.backup'), '--json'], third));
    expect(restored).toMatchObject({ secrets_restored: false, keystores_restored: 0 });
    mkdirSync(third, { recursive: true });
    copyFileSync(join(first, 'secrets.json'), join(third, 'secrets.json'));
    await succeed(['start'], third);
    await online(third);
    await succeed(['stop'], third);
  }, 120_000);

  test('OP-11 attack: a server that dies before its agent has told its new keys brings it up at the next start', async () => {
    await succeed(['restore', at('bare.backup'), '--json'], fourth);
    mkdirSync(fourth, { recursive: true });
    copyFileSync(join(first, 'secrets.json'), join(fourth, 'secrets.json'));
    const keystore = join(fourth, 'demo-bot');
    const lastLine = () => logsOf(fourth)[1]!.trimEnd().split('\n').at(-1);
    const [agentId] = readdirSync(join(first, 'demo-bot'));
    // In the way of its keystore, so that it gets no further.
    writeFileSync(keystore, '');
    await succeed(['start'], fourth);
    await until(() => expect(lastLine()).toContain('it is started again'));
    process.kill(JSON.parse(readFileSync(join(fourth, 'server.json'), 'utf8')).pid, 'SIGKILL');
    rmSync(keystore);
    mkdirSync(join(keystore, agentId!), { recursive: true, mode: 0o700 });
    await succeed(['start'], fourth);
    await until(() => expect(lastLine()).toBe('DemoBot: online'));
    // From then on other keys are refused again.
    await succeed(['stop'], fourth);
    await succeed(['start'], fourth);
    expect(existsSync(`${keystore}.replacing`)).toBe(false);
    await succeed(['stop'], fourth);
  }, 120_000);
});
