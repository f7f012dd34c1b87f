import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signUp } from '../../tests/harness/accounts.ts';
import { Authenticator, type AuthenticatorOptions } from '../../tests/harness/authenticator.ts';
import { startTestServer, type TestServer } from '../../tests/harness/server.ts';
import { openSocket } from '../../tests/harness/socket.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const REFUSED = { status: 401, body: { error: { code: 'PASSKEY_REFUSED' } } };
const beginRegister = async (token: string) =>
  (await server.call('POST', '/auth/passkey/register/options', { token })).body;
const finishRegister = (token: string, challenge_id: string, credential: object) =>
  server.call('POST', '/auth/passkey/register/verify', { token, body: { challenge_id, name: 'laptop', credential } });
const beginLogin = async () => (await server.call('POST', '/auth/passkey/login/options')).body;
const finishLogin = (challenge_id: string, credential: object) =>
  server.call('POST', '/auth/passkey/login/verify', { body: { challenge_id, credential } });

async function addPasskey(person: Person) {
  const key = new Authenticator();
  const { challenge_id, options } = await beginRegister(person.token);
  const reply = await finishRegister(person.token, challenge_id, key.create(options.challenge));
  expect(reply.status).toBe(201);
  return key;
}
async function login(key: Authenticator, how: AuthenticatorOptions = {}) {
  const { challenge_id, options } = await beginLogin();
  return finishLogin(challenge_id, key.get(options.challenge, how));
}

describe('TR-9 passkeys', () => {
  it('TR-9 one is added, listed, signs in and is removed', async () => {
    const ada = await signUp(server);
    const key = await addPasskey(ada);
    const { passkeys } = (await server.call('GET', '/auth/passkey', { token: ada.token })).body;
    expect(passkeys).toMatchObject([{ passkey_id: key.id.toString('base64url'), name: 'laptop', used_at: null }]);
    const reply = await login(key);
    expect(reply).toMatchObject({ status: 200, body: { user_id: ada.id, expires_in_seconds: 300 } });
    expect(reply.headers.get('set-cookie')).toMatch(/^parley_refresh=.+HttpOnly/);
    const path = `/auth/passkey/${passkeys[0].passkey_id}`;
    const eve = await signUp(server);
    expect((await server.call('DELETE', path, { token: eve.token })).status).toBe(404);
    expect((await server.call('DELETE', path, { token: ada.token })).status).toBe(204);
    expect(await login(key)).toMatchObject(REFUSED);
  });

  it('TR-9 options ask for the host of the public address, and name no account', async () => {
    const { options } = await beginLogin();
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const ada = await signUp(server);
    const register = await beginRegister(ada.token);
    expect(register.options).toMatchObject({ rp: { id: 'localhost' }, attestation: 'none' });
  });

  it('TR-9 passkey replay: an answer is good once', async () => {
    const key = await addPasskey(await signUp(server));
    const { challenge_id, options } = await beginLogin();
    const credential = key.get(options.challenge);
    const replies = await Promise.all(Array.from({ length: 4 }, () => finishLogin(challenge_id, credential)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await finishLogin(challenge_id, credential)).toMatchObject(REFUSED);
    const other = await beginLogin();
    expect(await finishLogin(other.challenge_id, credential)).toMatchObject(REFUSED);
  });

  it('TR-9 a failed answer uses the challenge up', async () => {
    const key = await addPasskey(await signUp(server));
    const { challenge_id, options } = await beginLogin();
    expect(await finishLogin(challenge_id, {})).toMatchObject(REFUSED);
    expect(await finishLogin(challenge_id, key.get(options.challenge))).toMatchObject(REFUSED);
  });

  it('TR-9 a challenge lasts five minutes and serves one purpose', async () => {
    const ada = await signUp(server);
    const key = await addPasskey(ada);
    const registering = await beginRegister(ada.token);
    expect(await finishLogin(registering.challenge_id, key.get(registering.options.challenge))).toMatchObject(REFUSED);
    const { challenge_id, options } = await beginLogin();
    server.clock.advance(301_000);
    expect(await finishLogin(challenge_id, key.get(options.challenge))).toMatchObject(REFUSED);
  });

  it('TR-9 cloned passkey: a counter that does not rise is refused', async () => {
    const key = await addPasskey(await signUp(server));
    await login(key);
    key.counter -= 1;
    expect(await login(key)).toMatchObject(REFUSED);
    key.counter = 0;
    expect(await login(key)).toMatchObject(REFUSED);
    key.counter = 9;
    expect((await login(key)).status).toBe(200);
  });

  it.each<[string, AuthenticatorOptions]>([
    ['phishing: another origin', { origin: 'https://evil.example' }],
    ['phishing: another host', { rpId: 'evil.example' }],
    ['nobody there', { flags: 0x04 }],
    ['nobody verified', { flags: 0x01 }],
  ])('TR-9 %s is refused', async (_, how) => {
    const ada = await signUp(server);
    const key = await addPasskey(ada);
    expect(await login(key, how)).toMatchObject(REFUSED);
    const { challenge_id, options } = await beginRegister(ada.token);
    const reply = await finishRegister(ada.token, challenge_id, new Authenticator().create(options.challenge, how));
    expect(reply).toMatchObject(REFUSED);
  });

  it('TR-9 another key under a known id is refused, and nobody else can register that id', async () => {
    const [ada, eve] = [await signUp(server), await signUp(server)];
    const key = await addPasskey(ada);
    const impostor = new Authenticator();
    key.id.copy(impostor.id);
    impostor.counter = 50;
    expect(await login(impostor)).toMatchObject(REFUSED);
    const { challenge_id, options } = await beginRegister(eve.token);
    expect(await finishRegister(eve.token, challenge_id, impostor.create(options.challenge))).toMatchObject(REFUSED);
    expect((await login(key)).body.user_id).toBe(ada.id);
  });

  it('TR-9 nobody finishes what another began; a banned account stays out', async () => {
    const [ada, eve] = [await signUp(server), await signUp(server)];
    const { challenge_id, options } = await beginRegister(ada.token);
    const credential = new Authenticator().create(options.challenge);
    expect(await finishRegister(eve.token, challenge_id, credential)).toMatchObject(REFUSED);
    const key = await addPasskey(eve);
    await server.platform.db.updateTable('accounts').set({ status: 'banned' }).where('id', '=', eve.id).execute();
    expect(await login(key)).toMatchObject(REFUSED);
  });

  it('TR-9 malformed credentials are refused, not a crash', async () => {
    const hostile: object[] = [
      { id: 1 },
      { id: '\u0000', rawId: '\u0000', type: 'public-key' },
      { id: 'x', rawId: 'x', type: 'public-key', response: null },
      {
        id: 'x',
        rawId: 'x',
        type: 'public-key',
        response: { clientDataJSON: 'e30', authenticatorData: '', signature: '' },
      },
    ];
    for (const credential of hostile) {
      const { challenge_id } = await beginLogin();
      expect(await finishLogin(challenge_id, credential)).toMatchObject(REFUSED);
    }
    const ada = await signUp(server);
    for (const credential of hostile) {
      const { challenge_id } = await beginRegister(ada.token);
      expect(await finishRegister(ada.token, challenge_id, credential)).toMatchObject(REFUSED);
    }
  });

  it('AC-3 attack: a stolen session adds no passkey; the password or a passkey is asked for again', async () => {
    const ada = await signUp(server);
    const key = await addPasskey(ada);
    const { body: stolen } = await login(key);
    server.clock.advance(4 * 60_000 + 59_000);
    const begun = await beginRegister(stolen.access_token);
    expect(begun.challenge_id).toEqual(expect.any(String));
    server.clock.advance(6 * 60_000);
    const { headers } = await server.call('POST', '/auth/login', {
      body: { email: ada.email, account_password: 'correct horse battery' },
    });
    const cookie = headers.get('set-cookie')!.split(';')[0]!;
    const session = () => server.call('POST', '/auth/refresh', { headers: { cookie } });
    const { access_token: token } = (await session()).body;
    await server.editDatabase(`update sessions set verified_at = null`);
    const options = () => server.call('POST', '/auth/passkey/register/options', { token });
    expect(await options()).toMatchObject({ status: 403, body: { error: { code: 'REAUTHENTICATION_REQUIRED' } } });
    const prove = (body: object) => server.call('POST', '/auth/reauthenticate', { token, body });
    expect((await prove({ account_password: 'a guess' })).status).toBe(403);
    expect((await options()).status).toBe(403);
    expect((await prove({ account_password: 'correct horse battery' })).status).toBe(200);
    expect((await options()).status).toBe(200);
    await server.editDatabase(`update sessions set verified_at = null`);
    const asked = await beginLogin();
    const proof = { challenge_id: asked.challenge_id, credential: key.get(asked.options.challenge) };
    expect((await prove(proof)).status).toBe(200);
    expect((await options()).status).toBe(200);
    expect((await prove(proof)).status).toBe(401);
  });

  it('AC-3 attack: the passkey of someone else proves nothing, and a challenge from before is not enough', async () => {
    const [ada, eve] = [await signUp(server), await signUp(server)];
    const eves = await addPasskey(eve);
    const begun = await beginRegister(ada.token);
    await server.editDatabase(`update sessions set verified_at = null`);
    const { challenge_id, options } = await beginLogin();
    const body = { challenge_id, credential: eves.get(options.challenge) };
    const reply = await server.call('POST', '/auth/reauthenticate', { token: ada.token, body });
    expect(reply).toMatchObject(REFUSED);
    const credential = new Authenticator().create(begun.options.challenge);
    expect((await finishRegister(ada.token, begun.challenge_id, credential)).status).toBe(403);
  });

  it('AC-3 a session by device flow was approved, not proved: it adds no passkey', async () => {
    const ada = await signUp(server);
    const { body: grant } = await server.call('POST', '/auth/device/code', { body: { client_name: 'cli' } });
    const approve = { user_code: grant.user_code, approve: true };
    await server.call('POST', '/auth/device/approve', { token: ada.token, body: approve });
    const { device_code } = grant;
    const { access_token: token } = (await server.call('POST', '/auth/device/token', { body: { device_code } })).body;
    expect((await server.call('POST', '/auth/passkey/register/options', { token })).status).toBe(403);
  });

  it('AC-3 attack: whoever came in with a passkey stays in after it was removed', async () => {
    const ada = await signUp(server);
    const [stolen, own] = [await addPasskey(ada), await addPasskey(ada)];
    const thief = await login(stolen);
    const cookie = thief.headers.get('set-cookie')!.split(';')[0]!;
    const socket = await openSocket(server, '/ws/human');
    socket.send({ type: 'auth', token: thief.body.access_token });
    await socket.next('auth.ok');
    const { access_token: token } = (await login(own)).body;
    const remove = (key: Authenticator) =>
      server.call('DELETE', `/auth/passkey/${key.id.toString('base64url')}`, { token });
    expect((await remove(stolen)).status).toBe(204);
    expect((await server.call('GET', '/auth/me', { token: thief.body.access_token })).status).toBe(401);
    expect(await socket.closed).toBe(4001);
    expect((await server.call('POST', '/auth/refresh', { headers: { cookie } })).status).toBe(401);
    // Whoever removes their own is not signed out by it.
    expect((await remove(own)).status).toBe(204);
    expect((await server.call('GET', '/auth/me', { token })).status).toBe(200);
    expect((await server.call('GET', '/auth/me', { token: ada.token })).status).toBe(200);
  });

  it('AC-3 attack: a stolen session removes the passkeys of the owner', async () => {
    const ada = await signUp(server);
    const key = await addPasskey(ada);
    await server.editDatabase(`update sessions set verified_at = null where account_id = '${ada.id}'`);
    const path = `/auth/passkey/${key.id.toString('base64url')}`;
    const reply = await server.call('DELETE', path, { token: ada.token });
    expect(reply).toMatchObject({ status: 403, body: { error: { code: 'REAUTHENTICATION_REQUIRED' } } });
    expect((await login(key)).status).toBe(200);
  });

  it('AC-3 passkeys are listed with when they were made and last used, and which one this session began with', async () => {
    const ada = await signUp(server);
    const key = await addPasskey(ada);
    await addPasskey(ada);
    const { access_token: token } = (await login(key)).body;
    const { passkeys } = (await server.call('GET', '/auth/passkey', { token })).body;
    expect(passkeys).toMatchObject([
      { current: true, used_at: expect.any(String), created_at: expect.any(String) },
      { current: false, used_at: null },
    ]);
  });
});
