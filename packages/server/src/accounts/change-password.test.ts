import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PASSWORD, signInAgain, signUp, signUpWithDevice } from '../../tests/harness/accounts.ts';
import { Authenticator } from '../../tests/harness/authenticator.ts';
import { startTestServer, type TestServer } from '../../tests/harness/server.ts';
import { openSocket } from '../../tests/harness/socket.ts';
import { keyOf } from '../events/bus.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

const NEXT = 'a better horse battery';
const change = (token: string, account_password = PASSWORD, new_password = NEXT) =>
  server.call('POST', '/auth/password', { token, body: { account_password, new_password } });
const me = (token: string) => server.call('GET', '/auth/me', { token });
const login = (email: string, account_password: string) =>
  server.call('POST', '/auth/login', { body: { email, account_password } });

describe('TR-9 changing the password', () => {
  it('TR-9 the new one counts, the old one does not, and every other session ends with its sockets', async () => {
    const ada = await signUpWithDevice(server);
    const thief = await signInAgain(server, ada);
    const socket = await openSocket(server, '/ws/human');
    socket.send({ type: 'auth', token: thief.token });
    await socket.next('auth.ok');
    expect((await change(ada.token)).status).toBe(204);
    expect(await socket.closed).toBe(4001);
    expect((await me(thief.token)).status).toBe(401);
    const refreshed = await server.call('POST', '/auth/refresh', { headers: { cookie: thief.cookie } });
    expect(refreshed.status).toBe(401);
    expect((await me(ada.token)).status).toBe(200);
    expect((await login(ada.email, PASSWORD)).status).toBe(401);
    expect((await login(ada.email, NEXT)).status).toBe(200);
  });

  it('TR-9 AC-1 stolen session: the old password is wanted, guesses are slowed down, and the owner still signs in', async () => {
    server.clock.stop();
    const ada = await signUp(server);
    for (let i = 0; i < 5; i++) expect((await change(ada.token, `guess ${i}`)).status).toBe(403);
    expect((await change(ada.token)).body.error.code).toBe('TOO_MANY_ATTEMPTS');
    expect((await login(ada.email, PASSWORD)).status).toBe(200);
    server.clock.advance(1_100);
    expect((await change(ada.token)).status).toBe(204);
  });

  it('AC-3 keeps the passkeys that the person chose, and no other', async () => {
    const ada = await signUp(server);
    const add = async () => {
      const key = new Authenticator();
      const { body } = await server.call('POST', '/auth/passkey/register/options', { token: ada.token });
      const credential = key.create(body.options.challenge);
      const answer = { challenge_id: body.challenge_id, name: 'key', credential };
      const reply = await server.call('POST', '/auth/passkey/register/verify', { token: ada.token, body: answer });
      return reply.body.passkey_id as string;
    };
    const kept = await add();
    await add();
    const eve = await signUp(server);
    const body = { account_password: PASSWORD, new_password: NEXT, keep_passkeys: [kept] };
    expect((await server.call('POST', '/auth/password', { token: eve.token, body })).status).toBe(204);
    const list = async () => (await server.call('GET', '/auth/passkey', { token: ada.token })).body.passkeys;
    expect(await list()).toHaveLength(2);
    expect((await server.call('POST', '/auth/password', { token: ada.token, body })).status).toBe(204);
    expect(await list()).toMatchObject([{ passkey_id: kept, current: false }]);
    const { notices } = (await server.call('GET', '/auth/notices', { token: ada.token })).body;
    // The one that eve named is not hers: nothing of it is noted anywhere.
    expect(notices.map(({ kind }: { kind: string }) => kind).sort()).toEqual([
      'passkey_added',
      'passkey_added',
      'passkey_removed',
      'password_changed',
    ]);
  });

  it('AC-3 attack: a passkey that was added after the person saw the list, or where nobody was asked, survives the password', async () => {
    const ada = await signUp(server);
    const add = (name: string) =>
      server.editDatabase(`insert into passkeys (credential_id, account_id, name, public_key, counter)
        values ('${ada.id} ${name}', '${ada.id}', '${name}', '', 0)`);
    const names = async () =>
      (await server.call('GET', '/auth/passkey', { token: ada.token })).body.passkeys.map(
        ({ name }: { name: string }) => name,
      );
    await add('own');
    await add('unseen');
    const body = { account_password: PASSWORD, new_password: NEXT, keep_passkeys: [`${ada.id} own`] };
    expect((await server.call('POST', '/auth/password', { token: ada.token, body })).status).toBe(204);
    expect(await names()).toEqual(['own']);
    await add('unasked');
    await server.editDatabase(`update sessions set passkey_id = '${ada.id} own' where account_id = '${ada.id}'`);
    expect((await change(ada.token, NEXT, PASSWORD)).status).toBe(204);
    expect(await names()).toEqual(['own']);
  });

  it('AC-3 TR-9 attack: a session that began with a passkey that ends keeps its socket no longer than others', async () => {
    const ada = await signUp(server);
    const thief = await signInAgain(server, ada);
    const sessionId = (await me(thief.token)).body.session_id;
    await server.editDatabase(`insert into passkeys (credential_id, account_id, name, public_key, counter)
      values ('${ada.id} key', '${ada.id}', 'key', '', 0)`);
    await server.editDatabase(`update sessions set passkey_id = '${ada.id} key' where id = '${sessionId}'`);
    const ended = vi.fn();
    server.platform.bus.listen(keyOf.session(sessionId), ended);
    expect((await change(ada.token)).status).toBe(204);
    expect(ended).toHaveBeenCalled();
  });

  it('TR-9 a new password that is too short, and two changes at once', async () => {
    const ada = await signUp(server);
    expect((await change(ada.token, PASSWORD, 'short')).status).toBe(400);
    const replies = await Promise.all([
      change(ada.token, PASSWORD, `${NEXT} 1`),
      change(ada.token, PASSWORD, `${NEXT} 2`),
    ]);
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 403]);
  });
});
