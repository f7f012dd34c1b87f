import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createGuardedFetch, type GuardedFetch, type GuardOptions, type Resolve } from './guarded-fetch.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => void;

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(handle: Handle, host = '127.0.0.1', port = 0): Promise<{ port: number; hits: IncomingMessage[] }> {
  const hits: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    hits.push(request);
    handle(request, response);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, host, resolve));
  return { port: (server.address() as AddressInfo).port, hits };
}

const ok: Handle = (_request, response) => response.end('ok');
const redirectTo =
  (location: string, status = 302): Handle =>
  (_request, response) =>
    response.writeHead(status, { location }).end();
const answer =
  (...addresses: string[]): Resolve =>
  async () =>
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));

const make = (options: Partial<GuardOptions> = {}): GuardedFetch =>
  createGuardedFetch({
    allowPrivate: false,
    allowLoopback: false,
    maxBytes: 1_000,
    timeoutMs: 5_000,
    maxRedirects: 3,
    ...options,
  });
const blocked = { code: 'FETCH_BLOCKED' };

describe('SI-6 attack: an inner address in the URL', () => {
  it.each([
    ['localhost by name', 'localhost'],
    ['localhost with a final dot', 'localhost.'],
    ['a name below localhost', 'a.localhost'],
    ['dotted', '127.0.0.1'],
    ['another loopback address', '127.8.8.8'],
    ['decimal', '2130706433'],
    ['octal', '0177.0.0.1'],
    ['hexadecimal', '0x7f000001'],
    ['hexadecimal parts', '0x7f.0x0.0x0.0x1'],
    ['short', '127.1'],
    ['full-width digits', '１２７.0.0.1'],
    ['percent-encoded', '%31%32%37.0.0.1'],
    ['IPv6 loopback', '[::1]'],
    ['IPv6 loopback in full', '[0:0:0:0:0:0:0:1]'],
    ['IPv4-mapped', '[::ffff:127.0.0.1]'],
    ['IPv4-mapped in hexadecimal', '[::ffff:7f00:1]'],
    ['IPv4-compatible', '[::127.0.0.1]'],
    ['unspecified', '0.0.0.0'],
    ['unspecified IPv6', '[::]'],
  ])('SI-6 %s: %s does not reach loopback', async (_, host) => {
    const { port, hits } = await serve(ok);
    for (const protocol of ['http', 'https']) {
      await expect(make()(`${protocol}://${host}:${port}/`)).rejects.toMatchObject(blocked);
    }
    expect(hits).toHaveLength(0);
  });

  it.each([
    '169.254.169.254',
    '2852039166',
    '0xA9FEA9FE',
    '[::ffff:169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[fd00:ec2::254]',
    '100.100.100.200',
  ])('SI-6 the metadata service as %s is blocked even where private addresses are allowed', async (host) => {
    const fetch = make({ allowPrivate: true, allowLoopback: true });
    await expect(fetch(`http://${host}/latest/meta-data/`)).rejects.toMatchObject(blocked);
  });

  it.each(['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '[fd12::1]'])(
    'SI-6 the private address %s is blocked, also where loopback is allowed',
    async (host) => {
      await expect(make({ allowLoopback: true })(`https://${host}/`)).rejects.toMatchObject(blocked);
    },
  );

  it.each(['http://8.8.8.8/', 'ftp://8.8.8.8/', 'file:///etc/passwd', 'gopher://8.8.8.8/', 'data:,x', 'nonsense'])(
    'SI-6 %s is not HTTPS',
    async (url) => {
      await expect(make({ allowLoopback: true, allowPrivate: true })(url)).rejects.toMatchObject(blocked);
    },
  );

  it('SI-6 attack: credentials in the URL are refused', async () => {
    const { port, hits } = await serve(ok);
    const fetch = make({ allowLoopback: true });
    await expect(fetch(`http://user:pass@127.0.0.1:${port}/`)).rejects.toMatchObject(blocked);
    await expect(fetch(`http://user@127.0.0.1:${port}/`)).rejects.toMatchObject(blocked);
    expect(hits).toHaveLength(0);
  });
});

describe('SI-6 attack: a name that resolves to an inner address', () => {
  it.each([['127.0.0.1'], ['10.1.2.3'], ['169.254.169.254'], ['::1'], ['::ffff:127.0.0.1'], ['8.8.8.8', '127.0.0.1']])(
    'SI-6 a name that resolves to %s is blocked',
    async (...addresses) => {
      const { port, hits } = await serve(ok);
      await expect(make({ resolve: answer(...addresses) })(`https://inner.example:${port}/`)).rejects.toMatchObject(
        blocked,
      );
      expect(hits).toHaveLength(0);
    },
  );

  it('SI-6 a name that resolves to a public address does not get plain HTTP', async () => {
    const fetch = make({ allowPrivate: true, resolve: answer('8.8.8.8') });
    await expect(fetch('http://public.example/')).rejects.toMatchObject(blocked);
  });

  it('SI-6 the error says nothing about what the name resolved to', async () => {
    const error = await make({ resolve: answer('10.1.2.3') })('https://inner.example/').catch((e: Error) => e);
    expect(String(error)).not.toContain('10.1.2.3');
  });

  it('SI-6 attack: DNS rebinding. The address that was checked is the one connected to, without asking again', async () => {
    const first = await serve((_request, response) => response.end('first'), '127.0.0.2');
    const second = await serve((_request, response) => response.end('second'), '127.0.0.3', first.port);
    const answers = ['127.0.0.2', '127.0.0.3'];
    let asked = 0;
    const resolve: Resolve = async () => [{ address: answers[Math.min(asked++, 1)]!, family: 4 }];
    const response = await make({ allowPrivate: true, resolve })(`http://rebinding.example:${first.port}/`);
    expect(response.body.toString()).toBe('first');
    expect(asked).toBe(1);
    expect(second.hits).toHaveLength(0);
  });

  it("SI-6 with the machine's own resolver, localhost is reached where loopback is allowed", async () => {
    const { port, hits } = await serve(ok);
    expect((await make({ allowLoopback: true })(`http://localhost:${port}/`)).status).toBe(200);
    expect(hits).toHaveLength(1);
  });

  it('SI-6 HTTPS goes to the checked address under the name that was asked for', async () => {
    const hellos: Buffer[] = [];
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', (hello) => {
        hellos.push(hello);
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
    const { port } = server.address() as AddressInfo;
    const fetch = make({ allowLoopback: true, resolve: answer('127.0.0.2') });
    await expect(fetch(`https://named.example:${port}/`)).rejects.toMatchObject({ code: 'FETCH_UNREACHABLE' });
    server.close();
    expect(hellos).toHaveLength(1);
    expect(hellos[0]!.includes('named.example')).toBe(true);
  });

  it('SI-6 attack: DNS rebinding. A new connection is checked again', async () => {
    const { port, hits } = await serve((_request, response) => response.writeHead(200, { connection: 'close' }).end());
    const answers = ['127.0.0.1', '169.254.169.254'];
    const resolve: Resolve = async () => [{ address: answers.shift()!, family: 4 }];
    const fetch = make({ allowPrivate: true, resolve });
    expect((await fetch(`http://rebinding.example:${port}/`)).status).toBe(200);
    await expect(fetch(`http://rebinding.example:${port}/`)).rejects.toMatchObject(blocked);
    expect(hits).toHaveLength(1);
  });
});

describe('SI-6 attack: redirects', () => {
  it.each([
    'http://169.254.169.254/latest/',
    'http://10.0.0.1/',
    'http://0xA9FEA9FE/',
    '//[::ffff:127.0.0.1]/',
    'file:///etc/passwd',
  ])('SI-6 a redirect to %s is blocked', async (location) => {
    const { port } = await serve(redirectTo(location));
    await expect(make({ allowLoopback: true })(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(blocked);
  });

  it('SI-6 a redirect to a name that resolves to a private address is blocked', async () => {
    const { port } = await serve(redirectTo('https://inner.example/'));
    const fetch = make({ allowLoopback: true, resolve: answer('192.168.0.1') });
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject(blocked);
  });

  it('SI-3 three redirects are followed, a fourth is not', async () => {
    const handle: Handle = (request, response) => {
      const left = Number(request.url!.slice(1));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `/${left - 1}` }).end();
    };
    const { port } = await serve(handle);
    const fetch = make({ allowLoopback: true });
    const response = await fetch(`http://127.0.0.1:${port}/3`);
    expect([response.body.toString(), response.url]).toEqual(['there', `http://127.0.0.1:${port}/0`]);
    await expect(fetch(`http://127.0.0.1:${port}/4`)).rejects.toMatchObject({ code: 'FETCH_REDIRECT_REFUSED' });
  });

  it('SI-3 another origin gets none of the headers that may be credentials', async () => {
    const other = await serve(ok);
    const { port } = await serve(redirectTo(`http://127.0.0.1:${other.port}/`));
    const headers = { authorization: 'Bearer x', 'X-Api-Key': 'x', cookie: 'a=b', accept: 'text/plain' };
    await make({ allowLoopback: true })(`http://127.0.0.1:${port}/`, { headers });
    const seen = other.hits[0]!.headers;
    expect(seen.accept).toBe('text/plain');
    for (const name of ['authorization', 'x-api-key', 'cookie']) expect(seen[name]).toBeUndefined();
  });

  it('SI-3 a POST is not repeated at another origin, and at its own only if asked to', async () => {
    const other = await serve(ok);
    const away = await serve(redirectTo(`http://127.0.0.1:${other.port}/`, 307));
    const fetch = make({ allowLoopback: true });
    const post = { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'hello' } as const;
    await expect(fetch(`http://127.0.0.1:${away.port}/`, post)).rejects.toMatchObject({
      code: 'FETCH_REDIRECT_REFUSED',
    });
    expect(other.hits).toHaveLength(0);

    const home = await serve((request, response) => {
      if (request.url === '/end') response.end();
      else response.writeHead(request.url === '/same' ? 308 : 303, { location: '/end' }).end();
    });
    await fetch(`http://127.0.0.1:${home.port}/same`, post);
    await fetch(`http://127.0.0.1:${home.port}/see`, post);
    expect(home.hits.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /same',
      'POST /end',
      'POST /see',
      'GET /end',
    ]);
    expect(home.hits[3]!.headers['content-type']).toBeUndefined();
  });

  it('TR-5 with no redirects allowed, one is an answer like any other', async () => {
    const { port } = await serve(redirectTo('http://169.254.169.254/'));
    const response = await make({ allowLoopback: true, maxRedirects: 0 })(`http://127.0.0.1:${port}/`);
    expect(response.status).toBe(302);
  });
});

describe('SI-6 attack: an answer without end', () => {
  it('SI-6 a body is read up to the limit and no further', async () => {
    const { port } = await serve((_request, response) => {
      const pour = () => {
        while (response.write('x'.repeat(10_000)));
        response.once('drain', pour);
      };
      pour();
    });
    const { body, truncated } = await make({ allowLoopback: true })(`http://127.0.0.1:${port}/`);
    expect([body.length, truncated]).toEqual([1_000, true]);
  });

  it('SI-6 a body of exactly the limit is whole', async () => {
    const { port } = await serve((_request, response) => response.end('x'.repeat(1_000)));
    const { body, truncated } = await make({ allowLoopback: true })(`http://127.0.0.1:${port}/`);
    expect([body.length, truncated]).toEqual([1_000, false]);
  });

  it.each([
    ['headers', () => {}],
    ['a body', (_request: IncomingMessage, response: ServerResponse) => void response.write('x')],
  ])('SI-6 a server that never finishes %s runs into the time-out', async (_, handle) => {
    const { port } = await serve(handle);
    const fetch = make({ allowLoopback: true, timeoutMs: 100 });
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toMatchObject({ code: 'FETCH_TIMEOUT' });
  });

  it('SI-6 a name server that never answers runs into the time-out', async () => {
    const fetch = make({ resolve: () => new Promise(() => {}), timeoutMs: 100 });
    await expect(fetch('https://slow.example/')).rejects.toMatchObject({ code: 'FETCH_TIMEOUT' });
  });

  it('SI-6 a closed port is FETCH_UNREACHABLE', async () => {
    // Nobody may listen there but the system; one that was closed might be given to somebody else.
    await expect(make({ allowLoopback: true })('http://127.0.0.1:1/')).rejects.toMatchObject({
      code: 'FETCH_UNREACHABLE',
    });
  });

  it('SI-6 a name that does not exist is FETCH_UNREACHABLE', async () => {
    await expect(make({ resolve: answer() })('https://nowhere.example/')).rejects.toMatchObject({
      code: 'FETCH_UNREACHABLE',
    });
  });
});

describe('SI-3 the limits of one request', () => {
  const never: Handle = () => {};

  it('SI-3 a request may have a time-out of its own', async () => {
    const { port } = await serve(never);
    const fetch = make({ allowLoopback: true, timeoutMs: 60_000 });
    const call = fetch(`http://127.0.0.1:${port}/`, { timeoutMs: 50 });
    await expect(call).rejects.toMatchObject({ code: 'FETCH_TIMEOUT' });
  });

  it('SI-3 whoever asked can end it, before and during, and hears the own reason', async () => {
    const { port, hits } = await serve(never);
    const fetch = make({ allowLoopback: true, timeoutMs: 60_000 });
    const controller = new AbortController();
    const call = fetch(`http://127.0.0.1:${port}/`, { signal: controller.signal });
    await expect.poll(() => hits.length).toBe(1);
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    await expect(fetch(`http://127.0.0.1:${port}/`, { signal: controller.signal })).rejects.toBe(reason);
    expect(hits).toHaveLength(1);
  });
});
