import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createMemoryStore, exportBackup } from '@parley/messenger';
import { openFileStore } from '@parley/messenger/node';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { useBuiltCommand, useFolder } from '../run.ts';
import { Machine, PASSWORD } from './person.ts';
import { Talk } from './talk.ts';

useBuiltCommand();
const folder = useFolder();
const SECRET = /^([0-9A-HJKMNP-TV-Z]{4}-){6}[0-9A-HJKMNP-TV-Z]{4}\n$/;
const email = 'ada@example.org';
const recoveryFile = join(folder.path, 'recovery.txt');

let server: TestServer;
let first: Machine;
let second: Machine;
const machine = (name: string) => new Machine(folder.path, name, server.url);

beforeAll(async () => {
  server = await startTestServer();
  first = machine('first');
  second = machine('second');
});
// One person signs in more often here than the server lets one address do in a minute.
beforeEach(() => server.clock.advance(61_000));
afterAll(() => server?.drop());

/** Signs in on a machine and lets it in from a keeper. */
async function add(keeper: Machine, fresh: Machine, ...more: string[]): Promise<string> {
  const { json } = await fresh.login(email);
  const { device_id: id, code } = json.device;
  expect((await keeper.json(['devices', 'approve', id, '--code', code, ...more])).json.approved).toBe(true);
  return id;
}

describe('EE-17 the recovery secret', () => {
  test('EE-17 is made at registration, and the person is told once how to save it', async () => {
    const args = ['register', '--email', email, '--name', 'Ada', '--password-stdin'];
    const { code, stdout } = await first.run(args, { input: `${PASSWORD}\n` });
    expect(code).toBe(0);
    expect(stdout).toContain('recovery secret');
    expect(stdout).toMatch(/recovery save FILE/);
    expect(stdout).toMatch(/recovery show/);
    const zh = await machine('zh').run([...args, '--email', 'zh@example.org', '--locale', 'zh-CN'], {
      input: `${PASSWORD}\n`,
    });
    expect(zh.stdout).toContain('recovery save 文件');
  });

  test('EE-17 is printed for no program, and does not go with a device that is removed', async () => {
    const shown = await first.json(['recovery', 'show']);
    expect(shown).toMatchObject({ code: 2, json: { error: { code: 'USAGE' } } });
    const forgotten = await first.json(['logout', '--forget']);
    expect(forgotten).toMatchObject({ code: 1, json: { error: { code: 'RECOVERY_UNSAVED' } } });
    expect((await first.json(['whoami'])).code).toBe(0);
  });

  test('EE-17 is saved for nobody else, never over another file, and forgotten then', async () => {
    const taken = folder.write('taken.txt', 'mine');
    const refused = await first.json(['recovery', 'save', taken]);
    expect(refused).toMatchObject({ code: 1, json: { error: { code: 'FILE_EXISTS' } } });
    expect(readFileSync(taken, 'utf8')).toBe('mine');
    const nowhere = await first.json(['recovery', 'save', join(folder.path, 'none', 'recovery.txt')]);
    expect(nowhere).toMatchObject({ code: 3, json: { error: { code: 'FOLDER_NOT_FOUND' } } });
    const saved = await first.json(['recovery', 'save', recoveryFile]);
    expect(saved).toEqual({ code: 0, json: { file: recoveryFile, saved: true } });
    expect(readFileSync(recoveryFile, 'utf8')).toMatch(SECRET);
    expect(statSync(recoveryFile).mode & 0o777).toBe(0o600);
    const again = await first.json(['recovery', 'save', join(folder.path, 'again.txt')]);
    expect(again).toMatchObject({ code: 1, json: { error: { code: 'RECOVERY_NOT_HERE' } } });
    expect(existsSync(join(folder.path, 'again.txt'))).toBe(false);
  });
});

describe('EE-16 a second device', () => {
  test('EE-16 waits with a code; a wrong one lets nobody in, the right one does', async () => {
    const { code, json } = await second.login(email);
    const { device_id: id, code: digits } = json.device;
    expect(code).toBe(0);
    expect(json.device).toMatchObject({ state: 'waiting', code: expect.stringMatching(/^(\d{5} ){4}\d{5}$/) });
    const waiting = await second.json(['devices', 'list']);
    expect(waiting).toMatchObject({ code: 1, json: { error: { code: 'DEVICE_WAITS' } } });
    expect(waiting.json.error.message).toContain(`devices approve ${id}`);
    expect(await first.devices()).toMatchObject([
      { current: true, listed: true, keeper: true, cut_off: false },
      { device_id: id, current: false, listed: false, keeper: false },
    ]);
    const kept = await first.json(['devices', 'keep', id]);
    expect(kept).toMatchObject({ code: 1, json: { error: { code: 'DEVICE_NOT_LISTED' } } });
    expect((await first.json(['devices', 'approve', id])).code).toBe(2);
    const wrong = await first.json(['devices', 'approve', id, '--code', '11111 22222 33333 44444 55555']);
    expect(wrong).toMatchObject({ code: 1, json: { error: { code: 'DEVICE_CODE' } } });
    const right = await first.json(['devices', 'approve', id, '--code', digits]);
    expect(right).toEqual({ code: 0, json: { device_id: id, approved: true, keeper: false } });
    expect(await second.json(['devices', 'list'])).toMatchObject({ code: 0, json: { is_keeper: false } });
  });

  test('EE-17 one that keeps no key lets nobody in, makes no keeper and replaces no key', async () => {
    const [, { device_id: id }] = await second.devices();
    for (const args of [
      ['devices', 'keep', id],
      ['devices', 'approve', id, '--code', '11111 22222 33333 44444 55555'],
      ['account', 'rotate-key'],
    ]) {
      const refused = await second.json(args);
      expect(refused).toMatchObject({ code: 1, json: { error: { code: 'ACCOUNT_KEY_MISSING' } } });
      expect(refused.json.error.message).toContain(`devices keep ${id}`);
    }
    expect((await second.json(['recovery', 'save', join(folder.path, 'x.txt')])).json.error.code).toBe(
      'RECOVERY_NOT_HERE',
    );
  });

  test('EE-17 a keeper made later replaces the key, and the first one follows', async () => {
    const [, { device_id: id }] = await first.devices();
    expect((await first.json(['devices', 'keep', id])).json).toEqual({ device_id: id, keeper: true });
    expect(await second.json(['account', 'rotate-key'])).toEqual({ code: 0, json: { rotated: true, keepers: 2 } });
    expect(await first.json(['account', 'rotate-key'])).toEqual({ code: 0, json: { rotated: true, keepers: 2 } });
    expect((await second.json(['devices', 'list'])).json.is_keeper).toBe(true);
  });

  test('EE-16 signed out and in again it is the same device', async () => {
    const before = await second.devices();
    expect((await second.json(['logout'])).json.signed_out).toBe(true);
    expect((await second.json(['whoami'])).code).toBe(1);
    expect((await second.login(email)).json.device.state).toBe('ready');
    expect(await second.devices()).toEqual(before);
  });
});

describe('EE-18 a revoked device', () => {
  test('EE-16 one that is revoked while it waits is told so', async () => {
    const waiting = machine('refused');
    const args = ['login', '--email', email, '--password-stdin'];
    const talk = new Talk(args, waiting.env);
    talk.say(PASSWORD);
    const ended = talk.end();
    await talk.until('and type this code there:');
    const { device_id: id } = (await first.devices()).find(({ listed }) => !listed);
    const { json } = await first.json(['devices', 'revoke', id]);
    expect(json).toEqual({ device_id: id, revoked: true, signed: false, unconfirmed: [] });
    await talk.until('removed instead of approved');
    expect(await ended).toBe(1);
  });

  test('EE-18, EE-23 a device without the key has the server shut another out; a keeper makes it final, and sees who has not confirmed it', async () => {
    const [third, fourth] = [machine('third'), machine('fourth')];
    await add(first, third);
    const id = await add(second, fourth, '--no-keeper');
    const cut = await third.json(['devices', 'revoke', id]);
    expect(cut).toEqual({ code: 0, json: { device_id: id, revoked: true, signed: false, unconfirmed: [] } });
    expect((await fourth.json(['devices', 'list'])).json.error.code).toBe('DEVICE_REVOKED');
    const row = (await first.devices()).find(({ device_id }) => device_id === id);
    expect(row).toMatchObject({ listed: true, cut_off: true, created_at: null });
    const refused = await third.json(['devices', 'revoke', id]);
    expect(refused.json.error.code).toBe('ACCOUNT_KEY_MISSING');
    const { json } = await first.json(['devices', 'revoke', id]);
    expect(json).toMatchObject({ device_id: id, revoked: true, signed: true });
    const left = await first.devices();
    expect(left.map(({ device_id }) => device_id)).not.toContain(id);
    // They cannot have confirmed it: none of them is online.
    const others = left.filter(({ current, listed }) => listed && !current).map(({ device_id }) => device_id);
    expect(others.length).toBeGreaterThan(1);
    expect(json.unconfirmed.map((one: { device_id: string }) => one.device_id).sort()).toEqual(others.sort());
  });

  test('EE-17 one keeper revokes another: it is signed out, and told how to come back', async () => {
    const own = (await first.devices()).find(({ current }) => current).device_id;
    const self = await first.json(['devices', 'revoke', own]);
    expect(self).toMatchObject({ code: 1, json: { error: { code: 'DEVICE_IS_THIS' } } });
    expect((await second.json(['devices', 'revoke', own])).json).toMatchObject({ revoked: true, signed: true });
    expect((await first.json(['devices', 'list'])).code).toBe(1);
    const again = await first.login(email);
    expect(again).toMatchObject({ code: 1, json: { error: { code: 'DEVICE_REVOKED' } } });
    expect(again.json.error.message).toContain('logout --forget');
    expect((await first.json(['logout', '--forget'])).json.forgotten).toBe(true);
    expect((await first.login(email)).json.device.state).toBe('waiting');
    expect((await first.json(['audit', 'list'])).json.records).toEqual([]);
    expect((await second.json(['account', 'rotate-key'])).code).toBe(0);
  });
});

describe('EE-17 an account whose devices are lost', () => {
  test('EE-17 is recovered with the secret alone, and every other device is removed', async () => {
    const fresh = machine('fresh');
    await fresh.login(email);
    const secret = readFileSync(recoveryFile, 'utf8').trim();
    const mistyped = await fresh.json(['recovery', 'use'], { input: `${secret.slice(0, -1)}\n` });
    expect(mistyped).toMatchObject({ code: 1, json: { error: { code: 'RECOVERY_SECRET' } } });
    const stranger = machine('stranger');
    await stranger.register('bob@example.org');
    const strangers = join(folder.path, 'strangers.txt');
    await stranger.json(['recovery', 'save', strangers]);
    const foreign = await fresh.json(['recovery', 'use', strangers]);
    expect(foreign).toMatchObject({ code: 1, json: { error: { code: 'ACCOUNT_KEY_WRONG' } } });
    expect((await fresh.json(['recovery', 'use'])).code).toBe(2);
    expect((await fresh.json(['recovery', 'use', '--passphrase-stdin'], { input: 'x\n' })).code).toBe(2);

    // As someone types it who reads it from paper.
    const typed = secret.toLowerCase().replaceAll('-', ' ');
    const used = await fresh.json(['recovery', 'use', '-'], { input: `${typed}\n` });
    expect(used).toMatchObject({ code: 0, json: { state: 'ready', others_removed: true } });
    const listed = (await fresh.devices()).filter((one) => one.listed);
    expect(listed).toMatchObject([{ current: true, keeper: true }]);
    expect((await second.json(['devices', 'list'])).json.error.code).toBe('DEVICE_REVOKED');
    const again = await fresh.json(['recovery', 'use', recoveryFile]);
    expect(again).toMatchObject({ code: 1, json: { error: { code: 'DEVICE_READY' } } });
    expect((await fresh.json(['account', 'rotate-key'])).code).toBe(0);
  });

  test('EE-17 says in words what recovering does, in both languages', async () => {
    const fresh = machine('in-words');
    await fresh.login(email);
    const { code, stdout } = await fresh.run(['recovery', 'use', recoveryFile]);
    expect(code).toBe(0);
    expect(stdout).toContain('All your other devices were removed');
    expect(stdout).toContain('/review');
    const help = await fresh.run(['recovery', 'use', '--help', '--locale', 'zh-CN']);
    expect(help.stdout).toContain('其他设备全部移除');
  });
});

test('EE-14 a recovery file of the version before lets a device in, with its passphrase, and removes none', async () => {
  const person = 'cy@example.org';
  const { json } = await machine('cy').register(person);
  const file = folder.write('old-recovery.txt', await makeOldFile(json.device.folder, 'a long passphrase'));
  const fresh = machine('cy-two');
  await fresh.login(person);
  const use = ['recovery', 'use', file];
  expect(await fresh.json(use)).toMatchObject({ code: 2, json: { error: { code: 'USAGE' } } });
  const wrong = await fresh.json([...use, '--passphrase-stdin'], { input: 'another one\n' });
  expect(wrong).toMatchObject({ code: 1, json: { error: { code: 'BACKUP_REFUSED' } } });
  const used = await fresh.json([...use, '--passphrase-stdin'], { input: 'a long passphrase\n' });
  expect(used).toMatchObject({ code: 0, json: { state: 'ready', others_removed: false } });
  expect((await fresh.devices()).map(({ listed }) => listed)).toEqual([true, true]);
});

/** The account key under a passphrase. */
async function makeOldFile(place: string, passphrase: string): Promise<string> {
  const store = await openFileStore(place);
  const box = createMemoryStore();
  await box.write(new Map([['client/account-key', (await store.get('client/account-key'))!]]));
  await store.close();
  return exportBackup(box, passphrase);
}

describe('EE-16 an account without a device', () => {
  const eve = 'eve@example.org';
  beforeAll(async () => {
    const body = { email: eve, account_password: PASSWORD, display_name: 'Eve' };
    expect((await server.call('POST', '/auth/register', { body })).status).toBe(201);
  });

  test('EE-16 nobody is there to confirm it: nothing is begun', async () => {
    const fresh = machine('eve');
    const refused = await fresh.login(eve);
    expect(refused).toMatchObject({ code: 1, json: { error: { code: 'ACCOUNT_UNFOUNDED' } } });
    expect(refused.json.error.message).toContain('--first-device');
    for (const args of [
      ['devices', 'list'],
      ['chat', 'x', '--send', 'x'],
      ['recovery', 'use', recoveryFile],
    ]) {
      expect(await fresh.json(args)).toMatchObject({ code: 1, json: { error: { code: 'ACCOUNT_UNFOUNDED' } } });
    }
  });

  test('EE-16 confirmed, it is begun here, with a recovery secret', async () => {
    const fresh = machine('eve');
    const { code, json } = await fresh.login(eve, '--first-device');
    expect({ code, device: json.device }).toMatchObject({
      code: 0,
      device: { state: 'ready', recovery_unsaved: true },
    });
    expect((await fresh.json(['devices', 'list'])).json).toMatchObject({
      devices: [{ keeper: true }],
      is_keeper: true,
    });
    // Where there is a device, saying that there is none changes nothing.
    expect((await machine('eve-two').login(eve, '--first-device')).json.device.state).toBe('waiting');
  });
});
