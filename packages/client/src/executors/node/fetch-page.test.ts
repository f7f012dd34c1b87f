import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { JsonObject } from '@parley/documents';
import { afterEach, describe, expect, it } from 'vitest';
import type { Edge } from '../types.ts';
import { fetchPageExecutors, type NetworkOptions } from './fetch-page.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(handle: RequestListener) {
  const seen: { url: string; method: string; headers: NodeJS.Dict<string | string[]>; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    seen.push({ url: request.url!, method: request.method!, headers: request.headers, body });
    handle(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
}

const INNER: NetworkOptions = { allowPrivate: true };

/** The edges that the last run asked to enter, and whether the person says no. */
const entered: string[] = [];
let refused = false;

function run(args: JsonObject, options: NetworkOptions = INNER, signal = new AbortController().signal) {
  entered.length = 0;
  const enter = async ({ id }: Edge) => {
    entered.push(id);
    if (refused) throw new Error('refused');
  };
  return fetchPageExecutors(options)[0]!.run(args, { signal, locale: 'en', enter });
}

const BLOCKED = { code: 'TOOL_PLATFORM_ERROR', message: expect.stringContaining('only https on the public internet') };

describe('CG-13 fetch_url and fetch_web_page', () => {
  it('CG-13 give body, headers and status code; cookies stay behind', async () => {
    const { url, seen } = await serve((_, response) => {
      response.writeHead(404, { 'content-type': 'text/plain', 'set-cookie': 'a=1', 'x-list': ['1', '2'] }).end('你好');
    });
    const result = await run({ url });
    expect(result).toMatchObject({ body: '你好', status_code: 404, headers: { 'content-type': 'text/plain' } });
    expect(Object.keys(result as object)).toEqual(['body', 'headers', 'status_code']);
    expect(JSON.stringify(result)).not.toContain('cookie');
    expect(seen[0]!.headers).toMatchObject({ 'user-agent': 'Parley', 'accept-encoding': 'identity' });
  });

  it('CG-13 POST has a body and a content type, GET has none', async () => {
    const { url, seen } = await serve((_, response) => response.end());
    await run({ url, method: 'POST', body: '{"a":1}', headers: { 'Content-Type': 'application/json' } });
    expect(seen[0]).toMatchObject({ method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } });
    await expect(run({ url, body: 'x' })).rejects.toMatchObject({ code: 'TOOL_INVALID_ARGUMENTS' });
    expect(seen).toHaveLength(1);
  });

  it.each([
    ['gb18030', Buffer.from([0xc4, 0xe3, 0xba, 0xc3]), '你好'],
    ['"iso-8859-1"', Buffer.from([0xe9]), 'é'],
    ['unheard-of', Buffer.from('ä'), 'ä'],
  ])('CG-13 text in %s is decoded', async (charset, bytes, text) => {
    const { url } = await serve((_, response) =>
      response.writeHead(200, { 'content-type': `text/html; charset=${charset}` }).end(bytes),
    );
    expect(await run({ url })).toMatchObject({ body: text });
  });

  it('CG-13 belong to network:http, at least medium, and say where the request goes', () => {
    const executors = fetchPageExecutors();
    expect(executors.map(({ tool }) => tool)).toEqual(['fetch_url', 'fetch_web_page']);
    for (const { scope, sensitivity, privacyNote } of executors) {
      expect({ scope, sensitivity }).toEqual({ scope: 'network:http', sensitivity: 'medium' });
      expect(privacyNote!({ url: 'https://example.com/a?b' }, 'en')).toContain('to example.com,');
      expect(privacyNote!({ url: 'https://example.com/a?b' }, 'zh-CN')).toContain('example.com');
      expect(privacyNote!({ url: 'no url' }, 'en')).toBeUndefined();
    }
  });

  it('CG-13 stop when the call is stopped', async () => {
    const stop = new AbortController();
    const { url } = await serve(() => stop.abort());
    await expect(run({ url }, INNER, stop.signal)).rejects.toMatchObject({ code: 'TOOL_PLATFORM_ERROR' });
  });
});

describe('CG-13 attacks through fetch_url', () => {
  it.each([
    'http://127.0.0.1:1/',
    'https://localhost/',
    'https://[::1]/',
    'https://10.0.0.1/',
    'https://192.168.1.1/',
    'https://169.254.169.254/latest/meta-data/',
    'https://2130706433/',
    'file:///etc/passwd',
    'data:text/plain,x',
    'http://example.com/',
    'https://user:password@example.com/',
    'not a url',
  ])('CG-13 private address or other scheme: %s is refused', async (url) => {
    await expect(run({ url }, {})).rejects.toMatchObject(BLOCKED);
  });

  it('CG-13 DNS rebinding: a name that leads inside, alone or among public addresses', async () => {
    const { url, seen } = await serve((_, response) => response.end('inner'));
    const target = `https://rebinding.example:${new URL(url).port}/`;
    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1']]) {
      const resolve = async () => addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      await expect(run({ url: target }, { resolve })).rejects.toMatchObject(BLOCKED);
    }
    expect(seen).toEqual([]);
  });

  it('CG-13 redirect to loopback: and to the cloud’s own address, is refused on every hop', async () => {
    const { url: metadata } = await serve((_, response) =>
      response.writeHead(302, { location: 'http://169.254.169.254/latest/' }).end(),
    );
    await expect(run({ url: metadata })).rejects.toMatchObject(BLOCKED);
    const { url: first, seen } = await serve((request, response) =>
      request.url === '/' ? response.writeHead(302, { location: '/next' }).end() : response.end('inner'),
    );
    await expect(run({ url: first }, {})).rejects.toMatchObject(BLOCKED);
    expect(seen).toEqual([]);
    expect(await run({ url: first })).toMatchObject({ body: 'inner' });
    const { url: loop } = await serve((_, response) => response.writeHead(302, { location: '/' }).end());
    await expect(run({ url: loop })).rejects.toThrow('redirects too often');
  });

  it('CG-13 response bomb: what does not end is cut to what an answer carries', async () => {
    const { url } = await serve((_, response) => {
      const chunk = Buffer.alloc(64 * 1024, '"\\');
      const pour = () => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on('drain', pour);
      pour();
    });
    const result = await run({ url });
    expect(result).toMatchObject({ status_code: 200, truncated: true });
    expect(JSON.stringify(result).length).toBeLessThan(63 * 1024);
  });

  it('CG-13 response bomb: packed answers are not unpacked, many headers not passed on', async () => {
    const { url } = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(10_000_000))),
    );
    await expect(run({ url })).rejects.toThrow('compressed');
    const { url: wordy } = await serve((_, response) => {
      for (let n = 0; n < 200; n++) response.setHeader(`x-${n}`, 'y'.repeat(50));
      response.end('z'.repeat(100_000));
    });
    const result = (await run({ url: wordy })) as { headers: object };
    expect(Object.keys(result.headers).length).toBeLessThanOrEqual(60);
    expect(JSON.stringify(result).length).toBeLessThan(63 * 1024);
  });

  it.each<[string, JsonObject]>([
    ['a line break in a value', { accept: 'text/html\r\nhost: evil.example' }],
    ['a NUL', { accept: 'a\0b' }],
    ['a line break in a name', { 'accept\r\nhost': 'x' }],
    ['credentials', { authorization: 'Bearer x' }],
    ['cookies', { Cookie: 'a=1' }],
    ['the host', { host: 'evil.example' }],
    ['smuggling', { 'transfer-encoding': 'chunked' }],
    ['one header twice', { accept: 'a', Accept: 'b' }],
    ['no text', { accept: ['a'] }],
    ['the prototype', JSON.parse('{"__proto__":"x"}')],
  ])('CG-13 header injection: %s', async (_, headers) => {
    const { url, seen } = await serve((_, response) => response.end());
    await expect(run({ url, headers })).rejects.toMatchObject({ code: 'TOOL_INVALID_ARGUMENTS' });
    expect(seen).toEqual([]);
  });

  it.each(['HEAD', 'PUT', 'DELETE', 'CONNECT', 'get', 'GET\r\nX: y'])('CG-13 method %j is refused', async (method) => {
    await expect(run({ url: 'https://example.com/', method })).rejects.toMatchObject({
      code: 'TOOL_INVALID_ARGUMENTS',
    });
  });

  it('CG-13 the error names neither address nor cause', async () => {
    const message = await run({ url: 'https://10.1.2.3/' }, {}).catch((error) => error.message);
    expect(message).not.toContain('10.1.2.3');
  });
});

describe('CG-15 the edge of a request is its host', () => {
  const edge = (url: string) => fetchPageExecutors()[0]!.edge!({ url });

  it.each([
    ['https://example.com/a?b', 'host https://example.com', 'requests to example.com'],
    ['https://EXAMPLE.com:443/', 'host https://example.com', 'requests to example.com'],
    ['https://example.com:8443/', 'host https://example.com:8443', 'requests to example.com:8443'],
    ['http://nas.example/', 'host http://nas.example', 'requests to http://nas.example'],
    ['https://exаmple.com/', 'host https://xn--exmple-4nf.com', 'requests to xn--exmple-4nf.com'],
  ])('CG-15 %s', async (url, id, en) => {
    expect(await edge(url)).toMatchObject({ id, text: { en } });
  });

  it('CG-15 attack: whoever let pages be opened has not let data be sent there', async () => {
    const sent = await fetchPageExecutors()[0]!.edge!({ url: 'https://example.com/', method: 'POST', body: 'x' });
    expect(sent).toMatchObject({ id: 'post https://example.com', text: { en: 'data sent to example.com' } });
  });

  it('CG-15 what is no web address is refused before anyone is asked', () => {
    for (const url of ['file:///etc/passwd', 'data:text/plain,x', 'nothing']) {
      expect(() => edge(url)).toThrow('no web address');
    }
  });

  it('CG-15 attack: a redirect to another host is not followed before the person agrees', async () => {
    const { url: second, seen: secondSeen } = await serve((_, response) => response.end('second'));
    const { url: first, seen: firstSeen } = await serve((request, response) =>
      response.writeHead(302, { location: request.url === '/' ? '/here' : `${second}x` }).end(),
    );
    const request = { url: first, headers: { accept: 'text/html', 'if-none-match': '"1"' } };
    refused = true;
    await expect(run(request)).rejects.toThrow('refused');
    expect([firstSeen.length, secondSeen]).toEqual([2, []]);
    refused = false;
    expect(await run(request)).toMatchObject({ body: 'second' });
    expect(entered).toEqual([`host ${new URL(second).origin}`]);
    expect(secondSeen[0]!.headers).toMatchObject({ accept: 'text/html', 'user-agent': 'Parley' });
    expect(secondSeen[0]!.headers).not.toHaveProperty('if-none-match');
  });

  it('CG-15 hosts that send each other on do so five times', async () => {
    let others = '';
    const { url } = await serve((_, response) => response.writeHead(302, { location: others }).end());
    const { url: other } = await serve((_, response) => response.writeHead(302, { location: url }).end());
    others = other;
    await expect(run({ url })).rejects.toThrow('redirects too often');
    expect(entered).toHaveLength(5);
  });
});
