import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addReset } from '../../src/accounts/password-reset.ts';
import { decideTry, LIMITS, nameOf } from '../../src/accounts/throttle.ts';
import { cookieOf, PASSWORD, signUp } from '../harness/accounts.ts';
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

/** Takes the turns of an account, then the one guess that a network has beyond them. */
async function spendFirstGuess(email: string, network: string) {
  expect(await guess(email, 20, () => ({ network: elsewhere() }))).toEqual(Array(20).fill(401));
  expect(await guess(email, 2, () => ({ network }))).toEqual([401, 429]);
}
/** As a thousand sites have guessed at it today. */
async function spendAllFirstGuesses(email: string) {
  const { db, now } = server.platform;
  const until = new Date(now().getTime() + LIMITS.sites.maxWaitMs);
  const row = { email_hash: nameOf({ limit: 'sites', of: email }), failures: 1_000, locked_until: until };
  await db
    .insertInto('login_failures')
    .values({ ...row, updated_at: now() })
    .onConflict((conflict) => conflict.column('email_hash').doUpdateSet({ failures: 1_000, locked_until: until }))
    .execute();
}

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
    await spendAllFirstGuesses(ada.email);
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

  it('AC-1 attack: a few networks take every turn of an account; its owner gets in with a new device, at the first try', async () => {
    const ada = await signUp(server);
    const attackers = Array.from({ length: 4 }, elsewhere);
    for (let i = 0; i < 60; i++) await guess(ada.email, 1, () => ({ network: attackers[i % 4]! }));
    expect(await guess(ada.email, 4, () => ({ network: attackers[0]! }))).toEqual([429, 429, 429, 429]);
    const network = elsewhere();
    expect((await login(ada.email, PASSWORD, { network })).status).toBe(200);
    // That took nothing away from them: another wrong guess of theirs is let through here as well, once.
    expect(await guess(ada.email, 3, () => ({ network }))).toEqual([401, 429, 429]);
    server.clock.advance(24 * 3_600_000);
    expect((await login(ada.email, PASSWORD, { network })).status).toBe(200);
  });

  it('AC-1 attack: the many networks of one IPv6 site have one guess beyond the turns of the account', async () => {
    const ada = await signUp(server);
    await guess(ada.email, 20, () => ({ network: elsewhere() }));
    const statuses = await guess(ada.email, 5, () => ({ network: `2001:db8:7:${networks++}::1` }));
    expect(statuses).toEqual([401, 429, 429, 429, 429]);
    expect(await guess(ada.email, 2, () => ({ network: '2001:db8:8::1' }))).toEqual([401, 429]);
  });

  it('AC-1 attack: as many networks as there are, for a day, make at most 1,317 guesses at one account', () => {
    const now = (ms: number) => new Date(Date.UTC(2026, 0, 1) + ms);
    const guessAll = (limit: { readonly free: number; readonly maxWaitMs: number }) => {
      let state = { failures: 0, locked_until: null as Date | null, updated_at: now(0) };
      let made = 0;
      for (let ms = 0; ms < 86_400_000; ms += 500) {
        const next = decideTry(state, limit, now(ms));
        if ('waitMs' in next) continue;
        made++;
        state = { failures: next.failures, locked_until: next.until, updated_at: now(ms) };
      }
      return made;
    };
    expect(guessAll(LIMITS.site)).toBe(1);
    expect(guessAll(LIMITS.sites)).toBe(1_000);
    const inTurn = guessAll(LIMITS.account);
    expect(inTurn).toBeGreaterThan(250);
    expect(inTurn + guessAll(LIMITS.sites)).toBeLessThanOrEqual(1_317);
    expect(guessAll(LIMITS.pair)).toBeLessThanOrEqual(111);
    expect(guessAll(LIMITS.network)).toBeLessThanOrEqual(1_496);
  });

  it('AC-1 attack: a thousand sites have guessed today; then everyone waits for the account, and the next day is another', async () => {
    const ada = await signUp(server);
    await guess(ada.email, 20, () => ({ network: elsewhere() }));
    await spendAllFirstGuesses(ada.email);
    expect(await guess(ada.email, 3, () => ({ network: elsewhere() }))).toEqual([429, 429, 429]);
    server.clock.advance(1_001);
    expect(await guess(ada.email, 2, () => ({ network: elsewhere() }))).toEqual([401, 429]);
    server.clock.advance(24 * 3_600_000);
    expect((await login(ada.email, PASSWORD, { network: elsewhere() })).status).toBe(200);
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
    await spendFirstGuess(ada.email, stranger);
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

  it('AC-1 AC-9 a reset ends the proofs of all devices, and gives another', async () => {
    const ada = await signUp(server);
    const known = knownOf(await login(ada.email, PASSWORD));
    const { db } = server.platform;
    const { code } = await addReset(db, { accountId: ada.id, createdBy: null, seconds: 60 }, server.clock.now());
    const body = { code, new_password: PASSWORD };
    const done = await server.call('POST', '/auth/password-reset', { body });
    const network = elsewhere();
    await spendFirstGuess(ada.email, network);
    expect((await login(ada.email, PASSWORD, { network, known })).status).toBe(429);
    expect((await login(ada.email, PASSWORD, { network, known: knownOf(done) })).status).toBe(200);
  });

  it('AC-1 attack: a stolen proof has a counter of its own', async () => {
    const ada = await signUp(server);
    const known = knownOf(await login(ada.email, PASSWORD));
    const statuses = await guess(ada.email, 15, () => ({ network: elsewhere(), known }));
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect((await login(ada.email, PASSWORD, { network: elsewhere() })).status).toBe(200);
  });

  /** What a program gets that was let in by its code. */
  async function letIn(token: string): Promise<Reply['body']> {
    const { body: grant } = await server.call('POST', '/auth/device/code', { body: { client_name: 'cli' } });
    const body = { user_code: grant.user_code, approve: true };
    expect((await server.call('POST', '/auth/device/approve', { token, body })).status).toBe(204);
    return (await server.call('POST', '/auth/device/token', { body: { device_code: grant.device_code } })).body;
  }
  const refresh = async (refresh_token: string) =>
    (await server.call('POST', '/auth/refresh', { body: { refresh_token } })).body;
  /** A client without cookies sends the proof in the body. */
  const guessWith = async (email: string, known_device: string, count: number) => {
    const statuses: number[] = [];
    for (let i = 0; i < count; i++) {
      const body = { email, account_password: wrong(), known_device };
      const headers = { 'x-forwarded-for': elsewhere() };
      statuses.push((await server.call('POST', '/auth/login', { body, headers })).status);
    }
    return statuses;
  };

  it('AC-1 a client without cookies gets the proof once the password was given, and sends it in the body', async () => {
    const ada = await signUp(server);
    const { access_token: token, refresh_token, known_device: none } = await letIn(ada.token);
    expect(none).toBeUndefined();
    const body = { account_password: PASSWORD };
    expect((await server.call('POST', '/auth/reauthenticate', { token, body })).status).toBe(200);
    const { known_device } = await refresh(refresh_token);
    const network = elsewhere();
    await spendFirstGuess(ada.email, network);
    const credentials = { email: ada.email, account_password: PASSWORD };
    const headers = { 'x-forwarded-for': network };
    expect((await server.call('POST', '/auth/login', { body: credentials, headers })).status).toBe(429);
    const proved = { ...credentials, known_device };
    expect((await server.call('POST', '/auth/login', { body: proved, headers })).status).toBe(200);
  });

  it('AC-1 attack: a stolen session asks for many proofs of a known device, to guess ten times with each', async () => {
    const ada = await signUp(server);
    const proofs: (string | undefined)[] = [];
    // Programs that it lets in, and that ask for one again: nobody has proved anything there.
    for (let i = 0; i < 3; i++) {
      const program = await letIn(ada.token);
      proofs.push(program.known_device, (await refresh(program.refresh_token)).known_device);
    }
    expect(proofs).toEqual(Array(6).fill(undefined));
    // Refreshing its own, where the password was given when it began: that is one proof, however often it asks.
    let { cookie } = ada;
    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) {
      const reply = await server.call('POST', '/auth/refresh', { headers: { cookie } });
      cookie = cookieOf(reply);
      statuses.push(...(await guessWith(ada.email, knownOf(reply).split('=')[1]!, 9)));
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  });

  it('AC-1 attack: the proof that a session began with and the one it asks for later have one counter', async () => {
    const ada = await signUp(server);
    const begun = await login(ada.email, PASSWORD);
    const refreshed = await server.call('POST', '/auth/refresh', { headers: { cookie: cookieOf(begun) } });
    const statuses: number[] = [];
    for (const reply of [begun, refreshed])
      statuses.push(...(await guessWith(ada.email, knownOf(reply).split('=')[1]!, 9)));
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  });

  it('AC-1 attack: keeping the owner from a new password by guessing in stolen sessions; on a known device they get through', async () => {
    const ada = await signUp(server);
    const home = await login(ada.email, PASSWORD);
    const change = (token: string, account_password: string, more: object = {}, cookie?: string) =>
      server.call('POST', '/auth/password', {
        token,
        body: { account_password, new_password: `${PASSWORD} 2`, ...more },
        headers: cookie === undefined ? {} : { cookie },
      });
    for (let i = 0; i < 4; i++) {
      const { access_token: stolen } = (await login(ada.email, PASSWORD)).body;
      const prove = () =>
        server.call('POST', '/auth/reauthenticate', { token: stolen, body: { account_password: wrong() } });
      for (let j = 0; j < 5; j++) expect((await prove()).status).toBe(403);
    }
    const { access_token: token } = home.body;
    expect((await change(token, PASSWORD)).status).toBe(429);
    const forged = knownOf(await login((await signUp(server)).email, PASSWORD));
    expect((await change(token, PASSWORD, {}, forged)).status).toBe(429);
    expect((await change(token, wrong(), { known_device: knownOf(home).split('=')[1] })).status).toBe(403);
    expect((await change(token, PASSWORD, {}, knownOf(home))).status).toBe(204);
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
