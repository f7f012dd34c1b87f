import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './harness/server.ts';
import { addBot, addTalker, type Talker } from './harness/talk.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

let open: TestServer;
let closed: TestServer;
let ann: Talker;
let eve: Talker;
let folder: string;
const sites: Server[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-proxy-'));
  open = await startTestServer({ logLevel: 'debug', logFile: join(folder, 'log') });
  closed = await startTestServer({ allowPrivateAddresses: false });
  [ann, eve] = [await addTalker(open), await addTalker(closed)];
});
afterAll(async () => {
  await Promise.all([open.drop(), closed.drop()]);
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  for (const site of sites.splice(0)) {
    site.closeAllConnections();
    site.close();
  }
});

async function serve(handle: Handle): Promise<{ url: string; port: number; hits: IncomingMessage[] }> {
  const hits: IncomingMessage[] = [];
  const site = createServer((request, response) => {
    hits.push(request);
    handle(request, response);
  });
  sites.push(site);
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const { port } = site.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, port, hits };
}

const get = (url: string, more: object = {}) =>
  open.call('POST', '/proxy/fetch', { token: ann.token, body: { url, method: 'GET', ...more } });

describe('SI-6 the fetch proxy', () => {
  it('SI-6 fetches a page, with the headers that are safe both ways', async () => {
    const site = await serve((_request, response) => {
      response.writeHead(201, {
        'content-type': 'text/html; charset=utf-8',
        etag: '"1"',
        'set-cookie': 'secret=1',
        'x-internal': 'yes',
        'content-security-policy': "default-src 'none'",
      });
      response.end('<p>héllo</p>');
    });
    const headers = { Accept: 'text/html', Cookie: 'a=b', Authorization: 'Bearer x', 'X-Forwarded-For': '1.2.3.4' };
    const { status, body } = await get(site.url, { headers });
    expect(status).toBe(200);
    expect(body).toMatchObject({ status_code: 201, body: '<p>héllo</p>', truncated: false });
    const { date, ...given } = body.headers;
    expect(given).toEqual({ 'content-type': 'text/html; charset=utf-8', etag: '"1"' });
    expect(Date.parse(date)).toBeGreaterThan(0);
    const sent = site.hits[0]!.headers;
    expect(sent.accept).toBe('text/html');
    expect(Object.keys(sent).sort()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent']);
  });

  it('SI-6 posts, reads other charsets, and stops at a megabyte', async () => {
    const site = await serve((request, response) => {
      if (request.url === '/gbk')
        return response.setHeader('content-type', 'text/plain; charset=gbk').end(Buffer.from([0xc4, 0xe3]));
      if (request.url === '/odd') return response.setHeader('content-type', 'text/plain; charset=none').end('plain');
      if (request.url === '/long') return response.end('x'.repeat(1_500_000));
      return request.pipe(response);
    });
    const posted = await get(site.url, { method: 'POST', body: 'ping', headers: { 'Content-Type': 'text/plain' } });
    expect(posted.body.body).toBe('ping');
    expect(site.hits[0]!.headers['content-type']).toBe('text/plain');
    expect((await get(`${site.url}gbk`)).body.body).toBe('你');
    expect((await get(`${site.url}odd`)).body.body).toBe('plain');
    const long = await get(`${site.url}long`);
    expect([long.body.body.length, long.body.truncated]).toEqual([1024 * 1024, true]);
  });

  it('SI-6 CG-15 follows a redirect within the site, and hands one to another host back', async () => {
    const other = await serve((_request, response) => response.end('other'));
    const site = await serve((request, response) => {
      if (request.url === '/here') return response.end('here');
      return response.writeHead(302, { location: request.url === '/' ? '/here' : `${other.url}x` }).end('moved');
    });
    const here = await get(site.url);
    expect(here.body).toMatchObject({ status_code: 200, body: 'here' });
    expect(here.body).not.toHaveProperty('redirect');
    const elsewhere = await get(`${site.url}away`);
    expect(elsewhere.body).toMatchObject({ status_code: 302, body: '', redirect: `${other.url}x` });
    expect(other.hits).toHaveLength(0);
    const posted = await get(`${site.url}away`, { method: 'POST', body: 'x' });
    expect([posted.status, posted.body.error.code]).toEqual([502, 'PAGE_UNREACHABLE']);
  });

  it.each([
    ['no address', { url: 'x'.repeat(8_193) }],
    ['a body with GET', { body: 'x' }],
    ['another method', { method: 'DELETE' }],
    ['a broken header', { headers: { 'X-A': 'a\r\nHost: b' } }],
    ['a header by no name', { headers: { 'X A': 'a' } }],
    ['another field', { redirect: 'follow' }],
  ])('SI-6 attack: %s is a bad request', async (_, more) => {
    const site = await serve((_request, response) => response.end());
    expect((await get(site.url, more)).status).toBe(400);
    expect(site.hits).toHaveLength(0);
  });

  it('SI-6 who is no person gets nothing', async () => {
    const site = await serve((_request, response) => response.end());
    const bot = await addBot(open, ann);
    const body = { url: site.url, method: 'GET' };
    expect((await open.call('POST', '/proxy/fetch', { body })).status).toBe(401);
    expect((await open.call('POST', '/proxy/fetch', { token: bot.token, body })).status).toBe(403);
    expect(site.hits).toHaveLength(0);
  });

  it('SI-6 what cannot be reached is said without saying why', async () => {
    const site = await serve((_request, response) => response.destroy());
    const { status, body } = await get(site.url);
    expect([status, body.error.code]).toEqual([502, 'PAGE_UNREACHABLE']);
    expect(JSON.stringify(body)).not.toContain(String(site.port));
  });

  it('SI-6 one person cannot take all of it', async () => {
    const waiting: ServerResponse[] = [];
    const site = await serve((_request, response) => void waiting.push(response));
    const replies = Array.from({ length: 6 }, () => get(site.url));
    const refused: string[] = [];
    for (const reply of replies)
      void reply.then(({ status, body }) => {
        if (status === 429) refused.push(body.error.code);
      });
    await expect.poll(() => [waiting.length, refused]).toEqual([4, ['RATE_LIMITED', 'RATE_LIMITED']]);
    for (const response of waiting) response.end('done');
    const statuses = (await Promise.all(replies)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  });

  it('SI-6 nothing of an address is logged', async () => {
    const site = await serve((_request, response) => response.end('a secret page'));
    await get(`${site.url}very-private-path?q=find-me`);
    await get('https://very-private-name.invalid/');
    const log = readFileSync(join(folder, 'log'), 'utf8');
    expect(log).not.toMatch(/very-private|find-me|secret page/);
  });
});

describe('SI-6 attack: the proxy as a way inside', () => {
  const blocked = async (url: string) => {
    const reply = await closed.call('POST', '/proxy/fetch', { token: eve.token, body: { url, method: 'GET' } });
    return [reply.status, reply.body.error?.code];
  };

  it.each([
    (port: number) => `http://127.0.0.1:${port}/`,
    (port: number) => `http://localhost:${port}/`,
    (port: number) => `https://2130706433:${port}/`,
    (port: number) => `http://[::ffff:127.0.0.1]:${port}/`,
    (port: number) => `http://user:pass@127.0.0.1:${port}/`,
  ])('SI-6 attack: loopback, spelled in another way (%#), also in development', async (spell) => {
    const site = await serve((_request, response) => response.end('inside'));
    expect(closed.config.development).toBe(true);
    expect(await blocked(spell(site.port))).toEqual([403, 'ADDRESS_BLOCKED']);
    expect(site.hits).toHaveLength(0);
  });

  it.each([
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://[fd12::1]/',
    'file:///etc/passwd',
    'gopher://8.8.8.8/',
  ])('SI-6 attack: %s', async (url) => {
    expect(await blocked(url)).toEqual([403, 'ADDRESS_BLOCKED']);
  });

  it.each(['http://169.254.169.254/latest/meta-data/', 'http://[::ffff:169.254.169.254]/', 'http://0.0.0.0/'])(
    'SI-6 attack: %s, though the operator allows private addresses',
    async (url) => {
      const { status, body } = await get(url);
      expect([status, body.error.code]).toEqual([403, 'ADDRESS_BLOCKED']);
    },
  );

  it('SI-6 attack: a redirect to a metadata service is not followed', async () => {
    const site = await serve((_request, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
    );
    const { status, body } = await get(site.url);
    expect([status, body.error.code]).toEqual([403, 'ADDRESS_BLOCKED']);
    expect(site.hits).toHaveLength(1);
  });
});
