import { readState } from '@parley/e2ee';
import { openFileStore } from '@parley/messenger/node';
import { SignedAccount } from '@parley/testkit/account';
import { type HostileServer, startHostileServer } from '@parley/testkit/hostile';
import { befriend, startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { useBuiltCommand, useFolder } from '../run.ts';
import { Machine } from './person.ts';
import { Talk } from './talk.ts';

useBuiltCommand();
const folder = useFolder();
let server: TestServer;
let evil: HostileServer;
const machine = (name: string) => new Machine(folder.path, name, evil.url);

beforeAll(async () => {
  server = await startTestServer();
  evil = await startHostileServer(server.url);
});
afterEach(() => evil.repent());
afterAll(async () => {
  await evil?.close();
  await server?.drop();
});

describe('EE-16 a server that lies about the account', () => {
  test('EE-16 attack: account-key capture: a registration makes its own key, whatever the server answers', async () => {
    const ghost = SignedAccount.makeDevice();
    const forged = new SignedAccount();
    evil.answer('GET /auth/me', ({ body }) => ({ ...body, account_key: forged.publicKey }));
    evil.answer('GET /devices', ({ body }) => {
      const [row] = body.devices;
      if (row !== undefined) body.devices.push({ ...row, device_id: ghost.deviceId, current: false });
    });
    const ada = machine('captured');
    const { code, json } = await ada.register('captured@example.org');
    expect({ code, device: json.device }).toMatchObject({
      code: 0,
      device: { state: 'ready', recovery_unsaved: true },
    });
    const devices = await ada.devices();
    expect(devices.filter(({ listed }) => listed)).toMatchObject([{ current: true, keeper: true }]);
  });

  test('EE-16 attack: account-key capture: a server that says that it was taken leaves no device ready', async () => {
    evil.answer('POST /devices', (answer) => {
      answer.status = 409;
      return { error: { code: 'STATEMENT_CONFLICT', message: 'taken', params: {} } };
    });
    const ada = machine('taken');
    const taken = await ada.register('taken@example.org');
    expect(taken).toMatchObject({ code: 1, json: { error: { code: 'ACCOUNT_TAKEN' } } });
    expect((await ada.json(['devices', 'list'])).code).toBe(1);
  });

  test('EE-16 attack: devices hidden from each other: the second one begins no account of its own', async () => {
    const email = 'hidden@example.org';
    await machine('hidden').register(email);
    evil.answer('GET /auth/me', ({ body }) => ({ ...body, account_key: null }));
    const refused = await machine('hidden-too').login(email);
    expect(refused).toMatchObject({ code: 1, json: { error: { code: 'ACCOUNT_UNFOUNDED' } } });
  });
});

test('EE-17 attack: two signed lists: everything stops, and the recovery secret settles it', async () => {
  const ada = machine('forked');
  const { json } = await ada.register('forked@example.org');
  const accountId = json.user_id as string;
  const secret = `${folder.path}/secret.txt`;
  await ada.json(['recovery', 'save', secret]);

  // Someone has copied the account key, and the server shows what they signed with it.
  const thief = new SignedAccount(accountId);
  const store = await openFileStore(json.device.folder);
  thief.accountKey = readState((await store.get('client/account-key'))!);
  thief.statements = JSON.parse((await store.get(`list/${accountId}`))!).statements;
  await store.close();
  thief.add(SignedAccount.makeDevice());
  expect((await ada.json(['account', 'rotate-key'])).code).toBe(0);
  const lie = evil.answer('GET /accounts/:id/devices', ({ body }) => ({ ...thief.listing([]), devices: body.devices }));

  const refused = await ada.json(['account', 'rotate-key']);
  expect(refused).toMatchObject({ code: 1, json: { error: { code: 'LIST_FORKED' } } });
  expect(refused.json.error.message).toContain('account settle');
  const talk = new Talk(['chat'], ada.env);
  await talk.until('There are two signed versions of your device list');
  talk.say('/quit');
  expect(await talk.ended).toBe(0);

  // An honest server alone does not end it: someone has the key.
  lie();
  expect((await ada.json(['account', 'rotate-key'])).json.error.code).toBe('LIST_FORKED');
  const mistyped = await ada.json(['account', 'settle'], { input: 'not a secret\n' });
  expect(mistyped).toMatchObject({ code: 1, json: { error: { code: 'RECOVERY_SECRET' } } });
  expect(await ada.json(['account', 'settle', secret])).toEqual({ code: 0, json: { settled: true, devices: 1 } });
  expect((await ada.json(['account', 'rotate-key'])).json).toEqual({ rotated: true, keepers: 1 });
});

test('EE-20 attack: a ghost in a group is shown, and gets no key', async () => {
  const [ada, bob] = [machine('ada'), machine('bob')];
  await ada.register('ada@example.org');
  const { json } = await bob.register('bob@example.org');
  const token = await tokenOf('ada@example.org');
  const { body: me } = await server.call('GET', '/auth/me', { token });
  await befriend(server, me.user_id, json.user_id);
  const ghost = SignedAccount.makeDevice().deviceId;

  // By a plain call, so nobody has signed it yet.
  const body = { kind: 'group', title: 'Plans', members: [{ kind: 'human', id: json.user_id }] };
  expect((await server.call('POST', '/conversations', { token, body })).status).toBe(201);
  const talk = new Talk(['chat'], ada.env);
  await talk.until('Plans');
  talk.say('1');
  await talk.until('type /confirm to look at its members');
  talk.say('too early');
  await talk.until('Nobody has confirmed yet who is in this group');
  talk.say('/confirm');
  expect(await talk.until('Sign them? (y/n)')).toContain(json.user_id);
  talk.say('y');
  await talk.until('From now on only these');
  talk.say('/confirm');
  await talk.until('there is nothing to confirm');
  talk.say('/retry');
  talk.say('/retry');
  await talk.until('Everything has been sent.');

  evil.answer('GET /conversations/:id', ({ body: detail }) => {
    detail.members.push({ kind: 'human', id: ghost, role: 'member', name: 'Mallory' });
  });
  talk.say('/members');
  expect(await talk.until('They get no key and can read nothing.')).toContain(`whom nobody has added: ${ghost}`);
  expect(await talk.until('nobody has signed them. They get no key:')).toContain(json.user_id);
  expect(await talk.until(ghost)).toContain('Mallory');
  talk.say('/quit');
  expect(await talk.ended).toBe(0);
});

async function tokenOf(email: string): Promise<string> {
  const reply = await server.call('POST', '/auth/login', {
    body: { email, account_password: 'correct horse battery' },
  });
  return reply.body.access_token;
}
