import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signUp } from '../../tests/harness/accounts.ts';
import { startTestServer, type TestServer } from '../../tests/harness/server.ts';
import { createId } from '../id.ts';

let server: TestServer;
let ada: Person;
beforeAll(async () => {
  server = await startTestServer();
  ada = await signUp(server);
});
afterAll(() => server.drop());

const begin = async () => {
  const { body } = await server.call('POST', '/auth/device/code', { body: { client_name: 'parley-cli' } });
  return body as { device_code: string; user_code: string };
};
const poll = (device_code: string) => server.call('POST', '/auth/device/token', { body: { device_code } });
const answer = (person: Person, user_code: string, approve = true) =>
  server.call('POST', '/auth/device/approve', { token: person.token, body: { user_code, approve } });
const wait = () => server.clock.advance(6_000);

describe('TR-9 device flow (RFC 8628)', () => {
  it('TR-9 hands out a code for people without look-alikes, and where to enter it', async () => {
    const { body } = await server.call('POST', '/auth/device/code', { body: { client_name: 'parley-cli' } });
    expect(body).toMatchObject({
      verification_uri: 'http://localhost:8484/device',
      verification_uri_complete: `http://localhost:8484/device?user_code=${body.user_code}`,
      expires_in: 600,
      interval: 5,
    });
    expect(body.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    const rows = JSON.stringify(await server.platform.db.selectFrom('device_grants').selectAll().execute());
    expect(rows).not.toContain(body.device_code);
    expect(rows).not.toContain(body.user_code.replace('-', ''));
  });

  it('TR-9 pending until a person approves, then tokens in the body, once', async () => {
    const { device_code, user_code } = await begin();
    expect(await poll(device_code)).toMatchObject({ status: 400, body: { error: { code: 'AUTHORIZATION_PENDING' } } });
    const typed = user_code.toLowerCase().replace('-', ' ');
    const shown = await server.call('POST', '/auth/device/inspect', { token: ada.token, body: { user_code: typed } });
    expect(shown).toMatchObject({ status: 200, body: { client_name: 'parley-cli' } });
    expect((await answer(ada, typed)).status).toBe(204);
    wait();
    const replies = await Promise.all(Array.from({ length: 5 }, () => poll(device_code)));
    const winners = replies.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    expect(replies.filter(({ body }) => body.error?.code === 'EXPIRED_TOKEN')).toHaveLength(4);
    const [{ body, headers }] = winners as [(typeof winners)[0]];
    expect(body.user_id).toBe(ada.id);
    expect(headers.get('set-cookie')).toBeNull();
    expect((await server.call('GET', '/auth/me', { token: body.access_token })).status).toBe(200);
    const { refresh_token } = body;
    const refreshed = await server.call('POST', '/auth/refresh', { body: { refresh_token } });
    expect(refreshed).toMatchObject({ status: 200, body: { user_id: ada.id } });
    expect(refreshed.body.refresh_token).not.toBe(refresh_token);
    expect(refreshed.headers.get('set-cookie')).toBeNull();
    const { sessions } = (await server.call('GET', '/auth/sessions', { token: ada.token })).body;
    expect(sessions.map(({ client }: { client: string }) => client)).toContain('parley-cli');
    expect((await answer(ada, user_code)).status).toBe(404);
  });

  it('TR-9 a person may refuse', async () => {
    const { device_code, user_code } = await begin();
    expect((await answer(ada, user_code, false)).status).toBe(204);
    expect((await answer(ada, user_code, true)).status).toBe(404);
    expect(await poll(device_code)).toMatchObject({ status: 400, body: { error: { code: 'ACCESS_DENIED' } } });
  });

  it('TR-9 polling too fast is slowed down further each time', async () => {
    const { device_code } = await begin();
    server.clock.stop();
    await poll(device_code);
    for (const interval of [10, 15]) {
      const { body } = await poll(device_code);
      expect(body.error).toMatchObject({ code: 'SLOW_DOWN', params: { interval } });
    }
    server.clock.advance(16_000);
    expect((await poll(device_code)).body.error.code).toBe('AUTHORIZATION_PENDING');
  });

  it('TR-9 ends after ten minutes, for the device and for the person', async () => {
    const { device_code, user_code } = await begin();
    server.clock.advance(601_000);
    const bob = await signUp(server);
    expect((await poll(device_code)).body.error.code).toBe('EXPIRED_TOKEN');
    expect((await answer(bob, user_code)).status).toBe(404);
  });

  it('AC-3 attack: a stolen session lets programs in; their owner sees it, and what happened before they came', async () => {
    const eve = await signUp(server);
    await server.platform.db
      .insertInto('account_notices')
      .values({ id: createId(), account_id: eve.id, kind: 'passkey_added', created_at: new Date() })
      .execute();
    for (let i = 0; i < 25; i++) {
      server.clock.advance(3_000);
      const { device_code, user_code } = await begin();
      await answer(eve, user_code);
      expect((await poll(device_code)).status).toBe(200);
    }
    const { notices } = (await server.call('GET', '/auth/notices', { token: eve.token })).body;
    expect(notices).toHaveLength(21);
    expect(notices[0]).toMatchObject({ kind: 'program_let_in', detail: 'parley-cli' });
    expect(notices[20]).toMatchObject({ kind: 'passkey_added' });
  });

  it('TR-9 device-code brute force: after five wrong user codes the person who guesses has to wait', async () => {
    server.clock.stop();
    const eve = await signUp(server);
    const { user_code } = await begin();
    for (let i = 0; i < 5; i++) expect((await answer(eve, `BBBB-BBB${'BCDFG'[i]}`)).status).toBe(404);
    expect(await answer(eve, user_code)).toMatchObject({ status: 429, body: { error: { code: 'TOO_MANY_ATTEMPTS' } } });
  });

  it('TR-9 device-code brute force: codes of one’s own do not pay for wrong guesses', async () => {
    server.clock.stop();
    const eve = await signUp(server);
    const { user_code } = await begin();
    const inspect = (code: string) =>
      server.call('POST', '/auth/device/inspect', { token: eve.token, body: { user_code: code } });
    for (let i = 0; i < 4; i++) {
      expect((await inspect(`CCCC-CCC${'BCDF'[i]}`)).status).toBe(404);
      expect((await inspect(user_code)).status).toBe(200);
    }
    expect((await inspect('CCCC-CCCG')).status).toBe(404);
    expect((await inspect(user_code)).status).toBe(429);
  });

  it('TR-9 device-code brute force: guessed device codes tell nothing and are limited by address', async () => {
    expect((await poll('A'.repeat(43))).body.error.code).toBe('EXPIRED_TOKEN');
    const replies = await Promise.all(Array.from({ length: 130 }, (_, i) => poll(`guess${i}`)));
    expect(replies.some(({ body }) => body.error.code === 'RATE_LIMITED')).toBe(true);
  });
});
