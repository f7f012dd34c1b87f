import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cookieOf, PASSWORD, signUp } from '../harness/accounts.ts';
import { type Reply, startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ trustedProxies: ['127.0.0.1'] });
});
afterAll(() => server.drop());

const OWNER = { 'x-forwarded-for': '198.51.100.7', 'user-agent': 'owner' };
const refresh = (cookie: string, headers: Record<string, string> = OWNER) =>
  server.call('POST', '/auth/refresh', { headers: { ...headers, cookie } });
const knownOf = ({ headers }: Reply) =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('parley_known_device='))
    ?.split(';')[0];

async function signIn() {
  const { email } = await signUp(server);
  const body = { email, account_password: PASSWORD };
  const reply = await server.call('POST', '/auth/login', { body, headers: OWNER });
  return { cookie: cookieOf(reply), known: knownOf(reply)! };
}

describe('AC-2 a stolen refresh token', () => {
  it.each([
    ['another network', { ...OWNER, 'x-forwarded-for': '203.0.113.5' }],
    ['another program', { ...OWNER, 'user-agent': 'thief' }],
  ])('AC-2 attack: replayed from %s within the minute, ends the session and gets nothing', async (_, thief) => {
    const { cookie } = await signIn();
    const owner = await refresh(cookie);
    const stolen = await refresh(cookie, thief);
    expect([stolen.status, stolen.headers.get('set-cookie')]).toEqual([401, null]);
    expect((await refresh(cookieOf(owner))).status).toBe(401);
  });

  it('AC-2 attack: replayed by who imitates program and network, but lacks the proof of the device', async () => {
    const { cookie, known } = await signIn();
    expect((await refresh(`${cookie}; ${known}`)).status).toBe(200);
    expect((await refresh(cookie)).status).toBe(401);
    const other = await signIn();
    const { cookie: again, known: theirs } = await signIn();
    expect((await refresh(`${again}; ${theirs}`)).status).toBe(200);
    expect((await refresh(`${again}; ${other.known}`)).status).toBe(401);
  });

  it('AC-2 attack: used first by the thief, the owner’s own refresh ends the session', async () => {
    const { cookie, known } = await signIn();
    const thief = await refresh(cookie, { 'x-forwarded-for': '203.0.113.5', 'user-agent': 'thief' });
    expect(thief.status).toBe(200);
    expect((await refresh(`${cookie}; ${known}`)).status).toBe(401);
    expect((await refresh(cookieOf(thief))).status).toBe(401);
  });

  it('AC-2 a device with its proof may change networks between the two', async () => {
    const { cookie, known } = await signIn();
    const lost = await refresh(`${cookie}; ${known}`);
    const moved = { ...OWNER, 'x-forwarded-for': '203.0.113.77' };
    const again = await refresh(`${cookie}; ${known}`, moved);
    expect([again.status, cookieOf(again)]).toEqual([200, cookieOf(lost)]);
  });

  it('AC-2 the client that sends only its token, as before, repeats itself too', async () => {
    const { cookie } = await signIn();
    const refresh_token = cookie.replace('parley_refresh=', '');
    const send = () => server.call('POST', '/auth/refresh', { body: { refresh_token }, headers: OWNER });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.refresh_token).toBe(first.body.refresh_token);
  });

  it('AC-2 a node of the version before, whose token cannot be derived, only refuses', async () => {
    const { cookie } = await signIn();
    expect((await refresh(cookie)).status).toBe(200);
    await server.editDatabase(`update sessions set refresh_hash = 'made by another version'`);
    expect(await refresh(cookie)).toMatchObject({ status: 409, body: { error: { code: 'REFRESH_CONFLICT' } } });
  });

  it('AC-2 nothing that is stored opens a session', async () => {
    const { cookie } = await signIn();
    const next = cookieOf(await refresh(cookie)).replace('parley_refresh=', '');
    const rows = JSON.stringify(await server.platform.db.selectFrom('sessions').selectAll().execute());
    for (const part of next.split('.')) expect(rows).not.toContain(part);
  });
});
