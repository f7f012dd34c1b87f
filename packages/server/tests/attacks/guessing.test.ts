import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decideTry } from '../../src/accounts/throttle.ts';
import { PASSWORD, signUp } from '../harness/accounts.ts';
import { Authenticator } from '../harness/authenticator.ts';
import { type Reply, startTestServer, type TestServer } from '../harness/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ trustedProxies: ['127.0.0.1'] });
  server.clock.stop();
});
afterAll(() => server.drop());
// What one test has guessed is forgotten before the next.
beforeEach(() => server.clock.advance(25 * 3_600_000));

const HOME = '198.51.100.7';
let networks = 0;
/** Networks that nobody has used before. */
const elsewhere = () => `203.0.${113 + Math.floor(networks / 250)}.${(networks++ % 250) + 1}`;

interface From {
  readonly network?: string;
  readonly known?: string;
}
const login = (email: string, account_password: string, { network = HOME, known }: From = {}) =>
  server.call('POST', '/auth/login', {
    body: { email, account_password },
    headers: { 'x-forwarded-for': network, ...(known === undefined ? {} : { cookie: known }) },
  });
const knownOf = ({ headers }: Reply) =>
  headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('parley_known_device='))!
    .split(';')[0]!;
const wrong = () => `wrong ${randomUUID()}`;
const guess = async (email: string, count: number, from: () => From) => {
  const replies: Reply[] = [];
  for (let i = 0; i < count; i++) replies.push(await login(email, wrong(), from()));
  return replies.map(({ status }) => status);
};

describe('AC-1 guessing passwords', () => {
  it('AC-1 OP-13 a clock that is set back by an hour makes nobody wait for an hour', () => {
    const now = new Date();
    const limit = { free: 5, maxWaitMs: 300_000 };
    const locked = (ms: number) => ({ failures: 9, updated_at: now, locked_until: new Date(now.getTime() + ms) });
    expect(decideTry(locked(300_000), limit, now)).toEqual({ waitMs: 300_000 });
    expect(decideTry(locked(3_600_000), limit, now)).toMatchObject({ failures: 10, until: expect.any(Date) });
  });

  it('AC-1 attack: locking an owner out from anywhere; from home they still get in', async () => {
    const ada = await signUp(server);
    const network = elsewhere();
    const statuses = await guess(ada.email, 12, () => ({ network }));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429, 429, 429, 429]);
    expect((await login(ada.email, PASSWORD)).status).toBe(200);
  });

  it('AC-1 attack: many networks guess at one account; a device that was signed in and a passkey get in meanwhile', async () => {
    const ada = await signUp(server);
    const known = knownOf(await login(ada.email, PASSWORD));
    const key = new Authenticator();
    const begun = (await server.call('POST', '/auth/passkey/register/options', { token: ada.token })).body;
    const credential = key.create(begun.options.challenge);
    await server.call('POST', '/auth/passkey/register/verify', {
      token: ada.token,
      body: { challenge_id: begun.challenge_id, name: 'key', credential },
    });
    const statuses = await guess(ada.email, 40, () => ({ network: elsewhere() }));
    expect(statuses.filter((status) => status === 401)).toHaveLength(20);
    const stranger = await login(ada.email, PASSWORD, { network: elsewhere() });
    expect(stranger).toMatchObject({ status: 429, body: { error: { code: 'TOO_MANY_ATTEMPTS' } } });
    expect(stranger.headers.get('retry-after')).toBe('1');
    expect((await login(ada.email, PASSWORD, { network: elsewhere(), known })).status).toBe(200);
    const { challenge_id, options } = (await server.call('POST', '/auth/passkey/login/options')).body;
    const body = { challenge_id, credential: key.get(options.challenge) };
    expect((await server.call('POST', '/auth/passkey/login/verify', { body })).status).toBe(200);
    server.clock.advance(1_001);
    expect((await login(ada.email, PASSWORD, { network: elsewhere() })).status).toBe(200);
  });

  it('AC-1 attack: a thousand networks for a day make at most 320 guesses at one account', () => {
    const now = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);
    let state = { failures: 0, locked_until: null as Date | null, updated_at: now(0) };
    let made = 0;
    for (let ms = 0; ms < 86_400_000; ms += 500) {
      const next = decideTry(state, { free: 20, maxWaitMs: 300_000 }, now(ms));
      if ('waitMs' in next) continue;
      made++;
      state = { failures: next.failures, locked_until: next.until, updated_at: now(ms) };
    }
    expect(made).toBeGreaterThan(250);
    expect(made).toBeLessThanOrEqual(320);
  });

  it('AC-1 attack: forty guesses at once are five', async () => {
    const ada = await signUp(server);
    const network = elsewhere();
    const replies = await Promise.all(Array.from({ length: 40 }, () => login(ada.email, wrong(), { network })));
    expect(replies.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(replies.filter(({ body }) => body.error.code === 'TOO_MANY_ATTEMPTS')).toHaveLength(35);
  });

  it('AC-1 attack: waits grow, whatever the spelling, and asking again does not prolong them', async () => {
    const ada = await signUp(server);
    const network = elsewhere();
    const spellings = [ada.email, ` ${ada.email}`, ada.email.toUpperCase(), `${ada.email} `, ada.email];
    for (const spelling of spellings) expect((await login(spelling, wrong(), { network })).status).toBe(401);
    for (const seconds of [1, 2, 4, 8]) {
      for (let i = 0; i < 3; i++) {
        const refused = await login(ada.email, PASSWORD, { network });
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(seconds)]);
      }
      server.clock.advance(seconds * 1_000 + 1);
      if (seconds < 8) expect((await login(ada.email, wrong(), { network })).status).toBe(401);
    }
    expect((await login(ada.email, PASSWORD, { network })).status).toBe(200);
    expect(await guess(ada.email, 5, () => ({ network }))).toEqual([401, 401, 401, 401, 401]);
  });

  it('AC-1 attack: one network tries one password at many accounts', async () => {
    const network = elsewhere();
    const statuses: number[] = [];
    for (let i = 0; i < 55; i++)
      statuses.push((await login(`${randomUUID()}@example.org`, wrong(), { network })).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(50);
    expect(statuses.slice(50)).toEqual([429, 429, 429, 429, 429]);
  });

  it('AC-1 attack: user enumeration; an address nobody has is slowed down alike', async () => {
    const ada = await signUp(server);
    const [one, other] = [elsewhere(), elsewhere()];
    const real = await guess(ada.email, 8, () => ({ network: one }));
    const ghost = await guess(`${randomUUID()}@example.org`, 8, () => ({ network: other }));
    expect(ghost).toEqual(real);
  });

  it('AC-1 attack: a forged, foreign or old proof of a known device helps nobody', async () => {
    const [ada, eve] = [await signUp(server), await signUp(server)];
    const adas = knownOf(await login(ada.email, PASSWORD));
    const eves = knownOf(await login(eve.email, PASSWORD));
    const stranger = elsewhere();
    await guess(ada.email, 25, () => ({ network: elsewhere() }));
    const [account, nonce, epoch, expires, mac] = adas.replace('parley_known_device=', '').split('.');
    const forged = [
      eves,
      eves.replace(/=[0-9a-f-]{36}/, `=${ada.id}`),
      `parley_known_device=${[account, nonce, Number(epoch) + 1, expires, mac].join('.')}`,
      `parley_known_device=${[account, nonce, epoch, `${expires}0`, mac].join('.')}`,
      `${adas}x`,
      'parley_known_device=',
    ];
    for (const known of forged) {
      expect((await login(ada.email, PASSWORD, { network: stranger, known })).status).toBe(429);
    }
    expect((await login(ada.email, PASSWORD, { network: stranger, known: adas })).status).toBe(200);
    const body = { account_password: PASSWORD, new_password: PASSWORD };
    expect((await server.call('POST', '/auth/password', { token: ada.token, body })).status).toBe(204);
    expect((await login(ada.email, PASSWORD, { network: stranger, known: adas })).status).toBe(429);
  });

  it('AC-1 attack: a stolen proof has a counter of its own', async () => {
    const ada = await signUp(server);
    const known = knownOf(await login(ada.email, PASSWORD));
    const statuses = await guess(ada.email, 15, () => ({ network: elsewhere(), known }));
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect((await login(ada.email, PASSWORD, { network: elsewhere() })).status).toBe(200);
  });

  it('AC-1 a client without cookies sends the proof in the body', async () => {
    const ada = await signUp(server);
    const { body: grant } = await server.call('POST', '/auth/device/code', { body: { client_name: 'cli' } });
    const approve = { user_code: grant.user_code, approve: true };
    await server.call('POST', '/auth/device/approve', { token: ada.token, body: approve });
    const { device_code } = grant;
    const { known_device } = (await server.call('POST', '/auth/device/token', { body: { device_code } })).body;
    await guess(ada.email, 25, () => ({ network: elsewhere() }));
    const credentials = { email: ada.email, account_password: PASSWORD };
    const headers = { 'x-forwarded-for': elsewhere() };
    expect((await server.call('POST', '/auth/login', { body: credentials, headers })).status).toBe(429);
    const body = { ...credentials, known_device };
    expect((await server.call('POST', '/auth/login', { body, headers })).status).toBe(200);
  });

  it('AC-1 attack: a stolen session asks for many proofs of a known device, to guess ten times with each', async () => {
    const ada = await signUp(server);
    const { body: grant } = await server.call('POST', '/auth/device/code', { body: { client_name: 'cli' } });
    const approve = { user_code: grant.user_code, approve: true };
    await server.call('POST', '/auth/device/approve', { token: ada.token, body: approve });
    const { device_code } = grant;
    let { refresh_token } = (await server.call('POST', '/auth/device/token', { body: { device_code } })).body;
    const statuses: number[] = [];
    for (let proofs = 0; proofs < 3; proofs++) {
      const refreshed = (await server.call('POST', '/auth/refresh', { body: { refresh_token } })).body;
      refresh_token = refreshed.refresh_token;
      for (let i = 0; i < 9; i++) {
        const body = { email: ada.email, account_password: wrong(), known_device: refreshed.known_device };
        statuses.push((await server.call('POST', '/auth/login', { body })).status);
      }
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  });

  it('AC-1 counts survive a restart', async () => {
    const ada = await signUp(server);
    const network = elsewhere();
    await guess(ada.email, 5, () => ({ network }));
    const other = await startTestServer({ databaseUrl: server.config.databaseUrl, trustedProxies: ['127.0.0.1'] });
    other.clock.stop();
    other.clock.advance(server.clock.now().getTime() - other.clock.now().getTime());
    const reply = await other.call('POST', '/auth/login', {
      body: { email: ada.email, account_password: PASSWORD },
      headers: { 'x-forwarded-for': network },
    });
    expect(reply.status).toBe(429);
    await other.close();
  });
});
