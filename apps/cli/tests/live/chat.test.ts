import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HasheeAgent } from '@parley/agent';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parley, type Result, type RunOptions, useBuiltCommand, useFolder } from '../run.ts';
import { SCRIPTED, startScriptedAgent } from './scripted-agent.ts';
import { Talk } from './talk.ts';

useBuiltCommand();
const folder = useFolder();
const home = join(folder.path, 'home');
const notes = join(folder.path, 'notes');
const PASSWORD = 'correct horse battery';
const email = 'ada@example.org';
const ESCAPES = /(?!\n)[\p{Cc}\p{Cf}]/u;

let server: TestServer;
let agent: HasheeAgent;
let agentId: string;

const envOf = (place = home) => ({ PARLEY_HOME: place, PARLEY_URL: server.url });
const run = (args: readonly string[], options: RunOptions & { home?: string } = {}): Promise<Result> =>
  parley(args, { ...options, env: { ...envOf(options.home), ...options.env } });
async function runJson(args: readonly string[], options: RunOptions & { home?: string } = {}) {
  const { code, stdout } = await run([...args, '--json'], options);
  return { code, json: JSON.parse(stdout) };
}

beforeAll(async () => {
  server = await startTestServer();
  mkdirSync(notes);
  writeFileSync(join(notes, 'todo.txt'), 'buy milk');
});
afterAll(async () => {
  await agent?.disconnect();
  await server.drop();
});

describe('HS-7 signing in', () => {
  test('EE-16 register makes this machine the first device, in a folder for nobody else', async () => {
    const args = ['register', '--email', email, '--name', 'Ada', '--password-stdin'];
    const { code, json } = await runJson(args, { input: `${PASSWORD}\n` });
    expect({ code, state: json.device.state, email: json.email }).toEqual({ code: 0, state: 'ready', email });
    expect(statSync(json.device.folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, 'device')).mode & 0o777).toBe(0o700);
    expect(statSync(join(json.device.folder, 'log')).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, 'credentials.json')).mode & 0o777).toBe(0o600);
  });

  test('TR-9 whoami says who; a wrong password is 1 and says so', async () => {
    expect(await runJson(['whoami'])).toMatchObject({ code: 0, json: { email, display_name: 'Ada' } });
    const wrong = await runJson(['login', '--email', email, '--password-stdin'], { input: 'not this one\n' });
    expect(wrong).toMatchObject({ code: 1, json: { error: { code: 'LOGIN_FAILED' } } });
    expect((await runJson(['whoami'], { home: join(folder.path, 'nobody') })).json.error.code).toBe('NOT_SIGNED_IN');
  });

  test('RL-1 agents are created, listed, and given new tokens; the token goes to a file', async () => {
    const manifest = folder.write('manifest.json', JSON.stringify(SCRIPTED));
    const tokenFile = join(folder.path, 'token');
    const args = ['agent', 'create', 'Scripted', '--public', '--manifest', manifest, '--token-file', tokenFile];
    const { code, json } = await runJson(args);
    expect({ code, version: json.capability_manifest_version }).toEqual({ code: 0, version: 1 });
    expect(JSON.stringify(json)).not.toContain('hsk_');
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    agentId = json.agent_id;
    const { json: rotated } = await runJson(['agent', 'token', agentId]);
    expect(rotated.token).toMatch(/^hsk_\w{40}$/);
    expect(rotated.token).not.toBe(readFileSync(tokenFile, 'utf8').trim());
    expect((await runJson(['agent', 'list'])).json.agents).toMatchObject([{ agent_id: agentId, name: 'Scripted' }]);
    expect((await runJson(['agent', 'link', agentId])).json.error.code).toBe('NO_KEYS');
    agent = await startScriptedAgent({ agentId, token: rotated.token, baseUrl: server.url });
  });

  test('EE-9 a link carries the fingerprint, and one that differs is refused', async () => {
    const { code, json } = await runJson(['agent', 'link', agentId]);
    expect({ code, verified: json.verified }).toEqual({ code: 0, verified: false });
    expect(json.link).toBe(`${server.url}/agent/${agentId}#${json.fingerprint}`);
    expect((await runJson(['agent', 'link', agentId, '--fingerprint', json.fingerprint])).json.verified).toBe(true);
    const other = await runJson(['agent', 'link', agentId, '--fingerprint', 'A'.repeat(43)]);
    expect(other).toMatchObject({ code: 1, json: { error: { code: 'FINGERPRINT_DIFFERS' } } });
  });
});

describe('RL-5 an agent by its name', () => {
  const create = async (...args: string[]) => (await runJson(['agent', 'create', ...args])).json.agent_id as string;
  const manifest = () => folder.write('manifest.json', JSON.stringify(SCRIPTED));

  test('RL-5 one’s own is found although it is private; a stranger’s is not', async () => {
    const ownId = await create('Diary', '--manifest', manifest());
    const found = await runJson(['chat', 'diary', '--send', 'x']);
    expect(found.json.error.code).toBe('AGENT_NOT_ADDED');
    const bob = join(folder.path, 'bob');
    const register = ['register', '--email', 'bob@example.org', '--name', 'Bob', '--password-stdin'];
    expect((await runJson(register, { home: bob, input: `${PASSWORD}\n` })).code).toBe(0);
    const stranger = await runJson(['chat', 'Diary', '--send', 'x'], { home: bob });
    expect(stranger.json.error.code).toBe('AGENT_UNKNOWN');
    expect(JSON.stringify(stranger.json)).not.toContain(ownId);
  });

  test('RL-5 one name for two is answered with both, and either can be named by its id', async () => {
    const ids = [
      await create('Twin', '--manifest', manifest()),
      await create('Twin', '--public', '--manifest', manifest()),
    ];
    const { json } = await runJson(['chat', 'Twin', '--send', 'x']);
    expect(json.error.code).toBe('AGENT_UNKNOWN');
    for (const id of ids) expect(json.error.message).toContain(id);
    expect((await runJson(['chat', ids[0]!, '--send', 'x'])).json.error.code).toBe('AGENT_NOT_ADDED');
  });
});

describe('CG-10 a conversation', () => {
  let talk: Talk;

  beforeAll(() => {
    talk = new Talk(['chat', 'Scripted', '--allow-dir', notes, '--location', '31.23,121.47'], envOf());
  });
  afterAll(() => talk.end());

  test('RL-6, CM-17 the consent screen: scopes that can be switched, bound to the manifest that was shown', async () => {
    const screen = await talk.until('Agree?');
    expect(screen).toContain('The scripted read_file');
    expect(screen).toContain('1 [ ] Read your location (location:read, high)');
    expect(screen).toContain('2 [ ] Read local files');
    expect(screen).toContain('3 [x] Send notifications');
    expect(screen).toContain('Fingerprint: ');
    talk.say('1 2');
    const switched = await talk.until('Agree?');
    expect(switched).toContain('1 [x] Read your location');
    expect(switched).toContain('2 [x] Read local files');
    talk.say('');
    await talk.until('Scripted is added.');
  });

  test('TC-9 text goes there and back; streams arrive as messages', async () => {
    talk.say('hello');
    expect(await talk.until('│ echo hello')).toContain('You');
    talk.say('stream one two');
    await talk.until('│ one two');
  });

  test('CG-6 low runs without asking, and is shown here', async () => {
    talk.say('notify water');
    expect(await talk.until('agent got')).not.toContain('Allow?');
    expect(talk.output).toContain('◆ water');
  });

  test('CG-6 medium asks once with everything about the call, then is silent', async () => {
    talk.say(`read ${join(notes, 'todo.txt')}`);
    const prompt = await talk.until('Allow?');
    expect(prompt).toContain('Scripted wants to read the file');
    expect(prompt).toContain(`path: ${join(notes, 'todo.txt')}`);
    expect(prompt).toContain('(filesystem:read)');
    expect(prompt).toContain('Medium');
    expect(prompt.replaceAll(/\n│ /g, '')).toContain('What you allow with a: files directly in the folder');
    for (const typed of ['perhaps', 'constructor']) {
      talk.say(typed);
      await talk.until('Type a to allow or d to deny; ? explains');
      await talk.until('Allow?');
    }
    talk.say('?');
    expect(await talk.until('Allow?')).toContain('  o  allow it only this once');
    talk.say('a');
    expect(await talk.until('agent got {"content":"buy milk"')).toContain('✓ read_file ran');
    talk.say(`read ${join(notes, 'todo.txt')}`);
    expect(await talk.until('agent got {"content"')).not.toContain('Allow?');
  });

  test('CG-15 attack: a window without an edge: notes are allowed, taxes are asked about', async () => {
    mkdirSync(join(notes, 'finance'));
    writeFileSync(join(notes, 'finance', 'taxes.txt'), 'the taxes');
    talk.say(`read ${join(notes, 'finance', 'taxes.txt')}`);
    await talk.until('Allow?');
    talk.say('o');
    await talk.until('agent got {"content":"the taxes"');
    talk.say(`read ${join(notes, 'finance', 'taxes.txt')}`);
    await talk.until('Allow?');
    talk.say('d');
    await talk.until('agent got "denied user_refused"');
  });

  test('CG-5 the keystore cannot be read, not even inside of an allowed folder', async () => {
    talk.say(`read ${join(home, 'credentials.json')}`);
    await talk.until('Allow?');
    talk.say('o');
    expect(await talk.until('agent got')).toContain('✗ read_file failed');
  });

  test('CG-6 high asks every time; a refusal is one; never is remembered until it is removed', async () => {
    talk.say('where');
    expect(await talk.until('Allow?')).toContain('High');
    talk.say('a');
    await talk.until('agent got {"latitude":31.23');
    talk.say('where');
    await talk.until('Allow?');
    talk.say('d');
    await talk.until('agent got "denied user_refused"');
    talk.say('where');
    await talk.until('Allow?');
    talk.say('n');
    await talk.until('agent got "denied user_refused"');
    talk.say('where');
    expect(await talk.until('agent got "denied user_refused"')).not.toContain('Allow?');
    talk.say('/permissions');
    expect(await talk.until('/grant N')).toMatch(/w1 {2}read_file .*\n[\s\S]*r1 {2}read_location/);
    talk.say('/revoke r1');
    await talk.until('Turned off.');
  });

  test('CG-3 a scope that is taken back here is refused at once, and can be granted again', async () => {
    talk.say('/revoke filesystem:read');
    await talk.until('Turned off.');
    talk.say(`read ${join(notes, 'todo.txt')}`);
    await talk.until('agent got "denied permission_revoked"');
    talk.say('/grant filesystem:read');
    await talk.until('is on.');
    talk.say(`read ${join(notes, 'todo.txt')}`);
    await talk.until('Allow?');
    talk.say('a');
    await talk.until('agent got {"content"');
  });

  test('TC-10 a form is answered field by field', async () => {
    talk.say('form');
    await talk.until('type /card to answer');
    talk.say('/card');
    await talk.until('City:');
    talk.say('Shanghai');
    await talk.until('Pin:');
    talk.say('1234');
    await talk.until('Size (1–2)');
    talk.say('2');
    await talk.until('Sure (y/n)');
    talk.say('y');
    await talk.until('Which? (1–1)');
    talk.say('1');
    const said = (await talk.until('}}')).replaceAll(/\n│ /g, '');
    const { action, values } = JSON.parse(/form ?(\{.*\}\})/.exec(said)![1]!);
    expect({ action, values }).toEqual({
      action: 'go',
      values: { city: 'Shanghai', pin: '1234', size: 'l', sure: true },
    });
  });

  test('CG-10 terminal escape injection: nothing an agent writes moves the cursor, or begins a line like one of ours', async () => {
    talk.say('evil');
    const shown = await talk.until('gnp.exe');
    expect(shown).not.toMatch(ESCAPES);
    expect(shown).toContain('│ one␛[2J␛[H␛]52;c;ZXZpbA==␇');
    expect(shown).toContain('│ ✓ read_location ran: {}');
    expect(talk.output).not.toMatch(ESCAPES);
  });

  test('RL-9 a breaking push is shown as a diff, asks before, and is reviewed scope by scope', async () => {
    const wider = structuredClone(SCRIPTED) as unknown as { tools: { input_schema: { required?: string[] } }[] };
    Object.assign(wider.tools[2]!.input_schema, { properties: { why: { type: 'string' } }, required: ['why'] });
    const file = folder.write('wider.json', JSON.stringify(wider));
    const refused = await run(['manifest', 'push', file, '--agent', agentId]);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain('Breaking: people must agree again to location:read.');
    const pushed = await runJson(['manifest', 'push', file, '--agent', agentId, '--yes']);
    expect(pushed).toMatchObject({ code: 0, json: { pushed: true, breaking: true, capability_manifest_version: 2 } });
    expect((await runJson(['manifest', 'push', file, '--agent', agentId])).json.pushed).toBe(false);
    await talk.until('Scripted has changed what it asks for.');
    talk.say('/review');
    expect(await talk.until('Agree?')).toContain('why');
    talk.say('');
    await talk.until('You agreed to 0; the rest is off.');
  });

  test('EE-9 the safety number is shown and marked as compared', async () => {
    talk.say('/verify');
    expect(await talk.until('Is the number the same')).toMatch(/(\d{5}\s+){11}\d{5}/);
    talk.say('y');
    await talk.until('Marked as verified.');
  });

  test('EE-7 a second process on the keystore is refused, and told why', async () => {
    const { code, json } = await runJson(['devices', 'list']);
    expect({ code, error: json.error.code }).toEqual({ code: 3, error: 'STORE_HELD' });
    expect(json.error.message).toContain('in use by process');
  });

  test('HS-7 /help, unknown commands, and leaving', async () => {
    talk.say('/help');
    expect(await talk.until('/quit')).toContain('/permissions');
    talk.say('/nonsense');
    await talk.until('There is no command /nonsense');
    talk.say('/problems');
    await talk.until('There are no problems.');
    talk.say('/quit');
    await talk.until('Goodbye.');
    expect(await talk.ended).toBe(0);
  });
});

describe('HS-7 for scripts', () => {
  const send = (text: string, ...more: string[]) =>
    runJson(['chat', 'Scripted', '--send', text, '--allow-dir', notes, ...more]);

  test('CG-6 prompts are denied unless the exact tool is allowed', async () => {
    const file = join(notes, 'todo.txt');
    await run(['chat', 'Scripted'], { input: '/revoke w1\n' });
    const denied = await send(`read ${file}`, '--allow', 'read');
    expect(denied).toMatchObject({ code: 0, json: { answered: true, calls: [{ status: 'denied' }] } });
    const { code, json } = await send(`read ${file}`, '--allow', 'read_file');
    expect({ code, calls: json.calls }).toMatchObject({ code: 0, calls: [{ tool_name: 'read_file', status: 'ok' }] });
    expect(json.replies[0].payload.text).toContain('buy milk');
  });

  test('RL-6 an agent that was not added is refused, unless what it may do is said', async () => {
    const name = `Other ${randomUUID()}`;
    const manifest = folder.write('other.json', JSON.stringify(SCRIPTED));
    const { json } = await runJson(['agent', 'create', name, '--public', '--manifest', manifest]);
    const other = await startScriptedAgent({ agentId: json.agent_id, token: json.token, baseUrl: server.url });
    const refused = await runJson(['chat', json.agent_id, '--send', 'hello']);
    expect(refused).toMatchObject({ code: 1, json: { error: { code: 'AGENT_NOT_ADDED' } } });
    const wrong = await runJson(['chat', json.agent_id, '--send', 'hello', '--grant', 'disk:erase']);
    expect(wrong.json.error.code).toBe('SCOPE_UNKNOWN');
    const granted = await runJson(['chat', json.agent_id, '--send', 'notify me', '--grant', 'notification:send']);
    expect(granted).toMatchObject({ code: 0, json: { notifications: [{ title: 'me' }], calls: [{ status: 'ok' }] } });
    await other.disconnect();
    const silent = await runJson(['chat', json.agent_id, '--send', 'hello', '--wait', '1']);
    expect(silent).toMatchObject({ code: 1, json: { answered: false } });
  });

  test('HS-7 --json without --send is wrong usage, and so is a place that is none', async () => {
    expect((await runJson(['chat'])).code).toBe(2);
    expect((await runJson(['chat', 'Scripted', '--send', 'x', '--location', 'here'])).code).toBe(2);
  });
});

describe('CG-12 the audit log', () => {
  test('CG-12 every call is listed, refusals too, without arguments or results', async () => {
    const { json } = await runJson(['audit', 'list']);
    expect(json.records.length).toBeGreaterThan(8);
    expect(JSON.stringify(json)).not.toContain('milk');
    expect((await runJson(['audit', 'list', '--status', 'denied'])).json.records[0].status).toBe('denied');
    expect((await runJson(['audit', 'list', '--status', 'odd'])).code).toBe(2);
    expect((await run(['audit', 'list', '--limit', '2', '--locale', 'zh-CN'])).stdout).toContain('read_');
  });

  test('CG-12 it verifies; an export verifies with the key alone; an altered one does not', async () => {
    const verified = await runJson(['audit', 'verify']);
    expect(verified).toMatchObject({ code: 0, json: { ok: true } });
    const file = join(folder.path, 'audit.jsonl');
    const { json } = await runJson(['audit', 'export', '--file', file]);
    const key = json.device_key;
    expect(key).toBe(verified.json.device_key);
    const nowhere = join(folder.path, 'nowhere');
    const check = (name: string) => runJson(['audit', 'verify', '--file', name, `--key=${key}`], { home: nowhere });
    expect(await check(file)).toMatchObject({ code: 0, json: { ok: true, entries: verified.json.entries } });
    const altered = folder.write('altered.jsonl', readFileSync(file, 'utf8').replace('"denied"', '"ok"'));
    expect(await check(altered)).toMatchObject({ code: 1, json: { ok: false } });
    expect((await runJson(['audit', 'verify'], { home: nowhere })).json.error.code).toBe('NO_DEVICE');
  });
});

describe('EE-16 a second device', () => {
  const second = join(folder.path, 'second');
  const third = join(folder.path, 'third');
  const login = ['login', '--email', email, '--password-stdin'];
  const signIn = (place: string, ...more: string[]) =>
    runJson([...login, ...more], { home: place, input: `${PASSWORD}\n` });

  test('EE-16 talks to the agents of the account as soon as it is let in', async () => {
    const { json } = await signIn(second, '--no-wait');
    const { device_id: id, code } = json.device;
    expect((await runJson(['devices', 'approve', id, '--code', code])).json.approved).toBe(true);
    const ready = await runJson(['chat', 'Scripted', '--send', 'hello'], { home: second });
    expect(ready).toMatchObject({ code: 0, json: { answered: true } });
  });

  test('EE-16 signed out and in again, it can still talk', async () => {
    expect((await runJson(['logout'], { home: second })).json.signed_out).toBe(true);
    expect((await signIn(second)).json.device.state).toBe('ready');
    const again = await runJson(['chat', 'Scripted', '--send', 'hello'], { home: second });
    expect(again).toMatchObject({ code: 0, json: { answered: true } });
  });

  test('EE-23 what is taken back here says that it has not confirmed it, and when it has', async () => {
    const here = new Talk(['chat', 'Scripted'], envOf(home));
    await here.until('── Scripted ──');
    here.say('/revoke filesystem:read');
    await here.until('Not confirmed by');
    const there = new Talk(['chat', 'Scripted'], envOf(second));
    await here.until('Your other devices have confirmed it.');
    here.say('/grant filesystem:read');
    await here.until('is on.');
    for (const talk of [here, there]) {
      talk.say('/quit');
      expect(await talk.ended).toBe(0);
    }
  });

  test('EE-18 forgotten, it is gone here, shut out by the server, and a keeper makes that final', async () => {
    expect((await runJson(['logout', '--forget'], { home: second })).json.forgotten).toBe(true);
    expect((await runJson(['audit', 'list'], { home: second })).json.error.code).toBe('NO_DEVICE');
    const { devices } = (await runJson(['devices', 'list'])).json;
    const gone = devices.find(({ cut_off }: { cut_off: boolean }) => cut_off);
    expect((await runJson(['devices', 'revoke', gone.device_id])).json.signed).toBe(true);
    expect((await runJson(['devices', 'list'])).json.devices).toHaveLength(1);
  });

  test('EE-19 after a recovery an agent may do nothing, until the person has seen what and signed it', async () => {
    const file = join(folder.path, 'recovery.txt');
    expect((await runJson(['recovery', 'save', file])).code).toBe(0);
    await signIn(third, '--no-wait');
    expect((await runJson(['recovery', 'use', file], { home: third })).json.state).toBe('ready');
    const talk = new Talk(['chat'], envOf(third));
    expect(await talk.until('Type a number')).toContain('needs your consent');
    talk.say('/add Scripted');
    await talk.until('until you have confirmed it here: /review');
    talk.say('notify before');
    await talk.until('agent got "denied');
    talk.say('/review');
    const shown = await talk.until('Sign it? (y/n)');
    expect(shown).toContain('Send notifications (notification:send, low)');
    expect(shown).toMatch(/Fingerprint of its key: \S+/);
    talk.say('n');
    await talk.until('Nothing was signed');
    talk.say('/review');
    await talk.until('Sign it? (y/n)');
    talk.say('y');
    await talk.until('Signed. Scripted can do this again.');
    talk.say('notify after');
    expect(await talk.until('agent got')).toContain('◆ after');
    talk.say('/quit');
    expect(await talk.ended).toBe(0);
  });
});
