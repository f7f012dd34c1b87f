import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createPlainServer } from 'node:net';
import { inspect } from 'node:util';
import { agentRoutes, authRoutes } from '@parley/protocol';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createNodePlatform } from '../node/index.ts';
import type { ApiError } from './api-error.ts';
import { createApi } from './create.ts';

const TOKEN = 'hsk_0123456789abcdef';
const QUERY = 'what-nobody-should-read';

/** Asks with a token and a query; gives what was thrown. */
async function fail(baseUrl: string, platform = createNodePlatform()): Promise<ApiError> {
  const api = createApi({ baseUrl, platform, credentials: { kind: 'agent', token: TOKEN } });
  return (await api
    .call(agentRoutes.searchAgents, { query: { q: QUERY } })
    .catch((thrown: unknown) => thrown)) as ApiError;
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A port that was there, and is not any more. */
async function closedPort(): Promise<number> {
  const server = createPlainServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function expectHarmless(error: ApiError): void {
  const told = inspect(error, { depth: 20, showHidden: true });
  expect(told).not.toContain(TOKEN);
  expect(told).not.toContain(QUERY);
}

describe('TR-7 a request that could not be made says why, keeps its cause, and tells no secret', () => {
  test('a port where nothing listens', async () => {
    const error = await fail(`http://127.0.0.1:${await closedPort()}`);
    expect(error).toMatchObject({
      status: 0,
      code: 'UNREACHABLE',
      network: 'refused',
      cause: { cause: { code: 'ECONNREFUSED' } },
    });
    expect(error.message).toContain('The connection was refused');
    expect(error.explain('zh-CN')).toContain('连接被拒绝');
    expectHarmless(error);
  });

  test('a name that does not exist', async () => {
    const error = await fail('http://x.invalid');
    expect(error).toMatchObject({ code: 'UNREACHABLE', network: 'name_unknown' });
    expect(error.message).toContain('The host name wasn’t found.');
    expectHarmless(error);
  });

  test('a server that hangs up before it answers, and one that does in the middle', async () => {
    const before = await serve((request) => request.socket.destroy());
    const amid = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
      response.write('{"agents":[');
      setImmediate(() => request.socket.destroy());
    });
    for (const url of [before, amid]) {
      const error = await fail(url);
      expect(error).toMatchObject({ code: 'UNREACHABLE', network: 'hung_up' });
      expect(error.message).toContain('The connection was closed before the answer was complete.');
      expectHarmless(error);
    }
  });

  test('TLS where there is none', async () => {
    const plain = await serve((_, response) => response.end('{}'));
    const error = await fail(plain.replace('http:', 'https:'));
    expect(error).toMatchObject({ code: 'UNREACHABLE', network: 'tls' });
    expectHarmless(error);
  });

  test('a redirect is not followed, and named', async () => {
    const url = await serve((request, response) =>
      response.writeHead(302, { location: `https://x.invalid${request.url}` }).end(),
    );
    const error = await fail(url);
    expect(error).toMatchObject({ code: 'UNREACHABLE', network: 'redirected' });
    expectHarmless(error);
  });

  test('a server that takes the request and never answers', async () => {
    const timers: (() => void)[] = [];
    const url = await serve(() => timers.shift()!());
    const platform = createNodePlatform();
    const setTimer = (callback: () => void) => {
      timers.push(callback);
      return () => {};
    };
    expect(await fail(url, { ...platform, setTimer })).toMatchObject({ code: 'UNREACHABLE', network: 'timed_out' });
  });

  test('attack: a platform that puts the token and the address into its error', async () => {
    const hostile = new TypeError(`fetch failed: Bearer ${TOKEN}`, { cause: new Error(`GET /agents?q=${QUERY}`) });
    const error = await fail('http://127.0.0.1:9', { ...createNodePlatform(), fetch: () => Promise.reject(hostile) });
    expect(error).toMatchObject({ code: 'UNREACHABLE', network: undefined, cause: { name: 'TypeError' } });
    expectHarmless(error);
    expect(
      (await fail('http://127.0.0.1:9', { ...createNodePlatform(), fetch: () => Promise.reject('no error') })).cause,
    ).toBeUndefined();
  });

  test('whoever ends the call is told their own reason', async () => {
    const api = createApi({
      baseUrl: 'http://127.0.0.1:9',
      platform: createNodePlatform(),
      credentials: { kind: 'none' },
    });
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(api.call(authRoutes.me, { signal })).rejects.toThrow('enough');
  });
});
