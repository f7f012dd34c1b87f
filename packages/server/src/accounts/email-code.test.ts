import { until } from '@parley/testkit/until';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD } from '../../tests/harness/accounts.ts';
import { startTestServer, type TestServer } from '../../tests/harness/server.ts';
import { type SmtpServer, startSmtp } from '../../tests/harness/smtp.ts';
import { createMailer } from '../mail/mailer.ts';

let smtp: SmtpServer;
let server: TestServer;
beforeAll(async () => {
  smtp = await startSmtp();
  server = await startTestServer({ smtpUrl: smtp.url, development: false });
});
afterAll(async () => {
  await server.drop();
  await smtp.close();
});

const send = (email: string) => server.call('POST', '/auth/send-code', { body: { email } });
const register = (email: string, code?: string) =>
  server.call('POST', '/auth/register', {
    body: { email, account_password: PASSWORD, display_name: 'Ada', ...(code === undefined ? {} : { code }) },
  });
const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to === email);
const codeFor = (email: string) => /Your code is (\d+)/.exec(mailsTo(email).at(-1)?.data ?? '')?.[1] ?? '';
const wrong = (code: string) => code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));
async function signUpBy(at: TestServer, email: string, code?: string): Promise<string> {
  if (code === undefined) await at.call('POST', '/auth/send-code', { body: { email } });
  const body = { email, account_password: PASSWORD, display_name: 'Ada', code: code ?? codeFor(email) };
  expect((await at.call('POST', '/auth/register', { body })).status).toBe(201);
  return email;
}
const INVALID = { status: 422, body: { error: { code: 'CODE_INVALID' } } };

describe('TR-9 codes by e-mail', () => {
  it('TR-9 with a sender, registering wants the code that was sent', async () => {
    expect(await register('ada@example.org')).toMatchObject(INVALID);
    expect(await send('Ada@Example.org')).toMatchObject({ status: 202, body: { expires_in_seconds: 600 } });
    const code = codeFor('ada@example.org');
    expect(code).toMatch(/^\d{8}$/);
    expect(await register('ada@example.org', wrong(code))).toMatchObject(INVALID);
    expect((await register('ada@example.org', code)).status).toBe(201);
    expect(await register('ada@example.org', code)).toMatchObject(INVALID);
  });

  it('TR-9 is stored as a hash', async () => {
    await send('hash@example.org');
    const rows = JSON.stringify(await server.platform.db.selectFrom('email_codes').selectAll().execute());
    expect(rows).not.toContain(codeFor('hash@example.org'));
    expect(rows).not.toContain('hash@example.org');
  });

  it('TR-9 AC-1 brute force: of many tries at once five are made, then each has to wait', async () => {
    server.clock.stop();
    await send('five@example.org');
    const code = codeFor('five@example.org');
    const tries = await Promise.all(Array.from({ length: 12 }, () => register('five@example.org', wrong(code))));
    expect(tries.filter(({ status }) => status === 422)).toHaveLength(5);
    expect(tries.filter(({ body }) => body.error.code === 'TOO_MANY_ATTEMPTS')).toHaveLength(7);
    expect((await register('five@example.org', code)).status).toBe(429);
    server.clock.advance(1_100);
    expect((await register('five@example.org', code)).status).toBe(201);
  });

  it('TR-9 brute force: fifty tries from many networks are all that a code allows', async () => {
    const open = await startTestServer({ smtpUrl: smtp.url, trustedProxies: ['127.0.0.1'] });
    await open.call('POST', '/auth/send-code', { body: { email: 'many@example.org' } });
    const code = codeFor('many@example.org');
    const from = (n: number, given: string) =>
      open.call('POST', '/auth/register', {
        body: { email: 'many@example.org', account_password: PASSWORD, display_name: 'Ada', code: given },
        headers: { 'x-forwarded-for': `203.0.113.${n}` },
      });
    for (let i = 0; i < 50; i++) expect(await from(i, wrong(code))).toMatchObject(INVALID);
    expect(await from(99, code)).toMatchObject(INVALID);
    await open.drop();
  });

  it('TR-9 lasts ten minutes', async () => {
    await send('late@example.org');
    server.clock.advance(601_000);
    expect(await register('late@example.org', codeFor('late@example.org'))).toMatchObject(INVALID);
  });

  it('TR-9 a code for one address opens no other', async () => {
    await send('one@example.org');
    await send('other@example.org');
    expect(await register('other@example.org', codeFor('one@example.org'))).toMatchObject(INVALID);
  });

  it('TR-9 user enumeration: a known address gets the same reply, and a letter without a code', async () => {
    const known = await send('ada@example.org');
    const unknown = await send('nobody@example.org');
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    expect(mailsTo('ada@example.org').at(-1)?.data).toContain('You already have one');
    const replies = [await register('ada@example.org', '12345678'), await register('nobody@example.org', '12345678')];
    expect(replies[0]).toMatchObject(INVALID);
    expect(replies[1]).toMatchObject(INVALID);
  });

  it('TR-9 mail bombing: at most one letter a minute to an address', async () => {
    server.clock.advance(61_000);
    for (let i = 0; i < 4; i++) expect((await send('flood@example.org')).status).toBe(202);
    expect(mailsTo('flood@example.org')).toHaveLength(1);
    const first = codeFor('flood@example.org');
    server.clock.advance(61_000);
    await send('flood@example.org');
    expect(mailsTo('flood@example.org')).toHaveLength(2);
    expect(await register('flood@example.org', first)).toMatchObject(INVALID);
    expect((await register('flood@example.org', codeFor('flood@example.org'))).status).toBe(201);
  });

  it('AC-9 attack: a mail cannon; three letters a day for one network, ten in all, then one an hour', async () => {
    const open = await startTestServer({ smtpUrl: smtp.url, trustedProxies: ['127.0.0.1'] });
    const account = await signUpBy(open, 'owner@example.org');
    for (const email of ['stranger@example.org', account]) {
      const askOften = async (network: string, times: number) => {
        for (let i = 0; i < times; i++) {
          open.clock.advance(61_000);
          const headers = { 'x-forwarded-for': network };
          expect((await open.call('POST', '/auth/send-code', { body: { email }, headers })).status).toBe(202);
        }
        return mailsTo(email).length;
      };
      open.clock.advance(25 * 3_600_000);
      const before = mailsTo(email).length;
      expect((await askOften('203.0.113.1', 6)) - before).toBe(3);
      expect((await askOften('203.0.113.2', 6)) - before).toBe(6);
      expect((await askOften('203.0.113.3', 3)) - before).toBe(9);
      expect((await askOften('203.0.113.4', 6)) - before).toBe(10);
      expect((await askOften('203.0.113.5', 6)) - before).toBe(10);
      open.clock.advance(3_600_000);
      expect((await askOften('203.0.113.6', 6)) - before).toBe(11);
    }
    await open.drop();
  });

  it('AC-8 attack: a mail cannon where nobody can register; only the operator to be gets a letter, while there is none', async () => {
    const operatorEmail = 'boss@example.org';
    const closed = await startTestServer({ smtpUrl: smtp.url, registration: 'closed', operatorEmail });
    const ask = (email: string) => closed.call('POST', '/auth/send-code', { body: { email } });
    const replies = [await ask('victim@example.org'), await ask(operatorEmail)];
    expect(replies[0]!.status).toBe(202);
    expect(replies[0]!.body).toEqual(replies[1]!.body);
    await until(() => mailsTo(operatorEmail).length === 1);
    await signUpBy(closed, operatorEmail, codeFor(operatorEmail));
    closed.clock.advance(61_000);
    expect((await ask(operatorEmail)).status).toBe(202);
    // By the link of the first start anyone may become operator: then any address may be asked for.
    const linked = await startTestServer({ smtpUrl: smtp.url, registration: 'closed' });
    await linked.call('POST', '/auth/send-code', { body: { email: 'first@example.org' } });
    await until(() => mailsTo('first@example.org').length === 1);
    expect(mailsTo(operatorEmail)).toHaveLength(1);
    expect(mailsTo('victim@example.org')).toEqual([]);
    await closed.drop();
    await linked.drop();
  });

  it('OP-13 attack: a code that was asked for while the clock was 31 days ahead keeps nobody from another, and does not last', async () => {
    server.clock.advance(61_000);
    const ahead = 31 * 86_400_000;
    server.clock.jump(ahead);
    await send('ahead@example.org');
    const early = codeFor('ahead@example.org');
    server.clock.jump(-ahead);
    expect(await register('ahead@example.org', early)).toMatchObject(INVALID);
    await send('ahead@example.org');
    expect(mailsTo('ahead@example.org')).toHaveLength(2);
    expect((await register('ahead@example.org', codeFor('ahead@example.org'))).status).toBe(201);
  });

  it('TR-9 a letter that cannot be sent is UNAVAILABLE, without internals, known or not', async () => {
    server.clock.advance(61_000);
    smtp.break();
    for (const email of ['ada@example.org', 'fresh@example.org']) {
      const reply = await send(email);
      expect(reply).toMatchObject({ status: 503, body: { error: { code: 'UNAVAILABLE', params: {} } } });
      expect(JSON.stringify(reply.body)).not.toMatch(/550|smtp|127\.0/i);
    }
  });
});

describe('TR-9 without a sender', () => {
  it('TR-9 in development the letter is in the log, in production nowhere', async () => {
    const lines: string[] = [];
    const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
    const { smtpUrl: _, ...config } = server.config;
    const mail = { to: 'ada@example.org', subject: 'Parley', text: 'Your code is 12345678.' };
    await createMailer({ ...config, development: true }, log)?.send(mail);
    expect(lines.join()).toContain('12345678');
    expect(createMailer({ ...config, development: false }, log)).toBeUndefined();
  });

  it('TR-9 in production registering needs no code, and asking for one still tells nothing', async () => {
    const bare = await startTestServer({ development: false });
    expect((await bare.call('POST', '/auth/send-code', { body: { email: 'a@example.org' } })).status).toBe(202);
    const body = { email: 'a@example.org', account_password: PASSWORD, display_name: 'Ada' };
    expect((await bare.call('POST', '/auth/register', { body })).status).toBe(201);
    await bare.drop();
  });
});
