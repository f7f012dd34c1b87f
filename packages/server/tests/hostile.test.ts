import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALLERS, type CallerKind, ROUTES, type RouteContract } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer } from './harness/server.ts';
import { type Prepared, REQUESTS } from './matrix/requests.ts';
import { buildWorld, type World } from './matrix/world.ts';

const nameOf = ({ method, path }: RouteContract) => `${method} ${path}`;
const named = (routes: readonly RouteContract[]) => routes.map((route) => ({ name: nameOf(route), route }));
/** Where a body can be sent at all; some of these expect none. */
const WRITING = ROUTES.filter(({ method }) => method !== 'GET');
const WITH_BODY = ROUTES.filter(({ body }) => body !== undefined);
/** A descriptor may have fields that nobody knows (SD-1). */
const OPEN = new Set(['POST /skills']);
const WITH_PARAMS = ROUTES.filter(({ params }) => params !== undefined);
const WITH_QUERY = ROUTES.filter(({ query }) => query !== undefined);

let world: World;
const workspace = mkdtempSync(join(tmpdir(), 'parley-matrix-'));
beforeAll(async () => {
  world = await buildWorld(await startTestServer({ workspaces: { matrix: workspace } }));
});
afterAll(async () => {
  await world.drop();
  rmSync(workspace, { recursive: true });
});

/** What no reply may hold: places in our code, words of the database, of the runtime. */
const INTERNALS =
  /node_modules|\.(ts|js):\d+|\bat \w+ \(|postgres|syntax error|duplicate key|violates|relation "|column "|invalid input|ECONN|TypeError|undefined is not|Cannot read/i;

interface Attempt {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

let attempts = 0;

async function attack(route: RouteContract, attempt: Attempt): Promise<number> {
  // A new minute in time, so that it is the request and not the limit that is answered.
  if (attempts++ % Math.min(route.limit.perMinute, 50) === 0) world.server.clock.advance(61_000);
  const response = await fetch(world.server.url + attempt.url, {
    method: route.method,
    headers: attempt.headers,
    ...(attempt.body === undefined ? {} : { body: attempt.body as string }),
  });
  const text = await response.text();
  expect([nameOf(route), response.status < 500, response.status]).toEqual([nameOf(route), true, response.status]);
  if (response.status >= 400) {
    expect(text).not.toMatch(INTERNALS);
    expect(JSON.parse(text).error).toMatchObject({ code: expect.any(String), request_id: expect.any(String) });
  }
  return response.status;
}

interface Target {
  readonly prepared: Prepared;
  url(changes?: { params?: Readonly<Record<string, string>>; query?: Readonly<Record<string, string>> }): string;
  headers(contentType?: string): Promise<Record<string, string>>;
}

/** The best request by someone who may send it: what is wrong with it must be what we did to it. */
async function aim(route: RouteContract): Promise<Target> {
  const order: readonly CallerKind[] = ['owner', 'member', 'self', 'admin', 'stranger', 'anonymous'];
  const kind = [...order, ...CALLERS].find((candidate) => route.access[candidate] < 400)!;
  attempts = 0;
  const prepared = await REQUESTS[nameOf(route)]!(world, kind);
  return {
    prepared,
    url: ({ params, query } = {}) => {
      const values = { ...prepared.params, ...params };
      const path = route.path.replace(/:(\w+)|\*/g, (whole, name: string = whole) => encodeURIComponent(values[name]!));
      const search = new URLSearchParams({ ...prepared.query, ...query }).toString();
      return search === '' ? path : `${path}?${search}`;
    },
    headers: async (contentType) => {
      const [token = ''] = prepared.token ? [prepared.token] : await world.tokensOf(kind);
      return {
        ...prepared.headers,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(contentType ? { 'content-type': contentType } : {}),
      };
    },
  };
}

const JSON_TYPE = 'application/json';

describe('TR-8 hostile bodies', () => {
  test.each(named(WRITING))('TR-8 an oversized body is 413: $name', async ({ route }) => {
    const { url, headers } = await aim(route);
    const body = JSON.stringify({ padding: 'x'.repeat(route.limit.body) });
    expect(await attack(route, { url: url(), headers: await headers(JSON_TYPE), body })).toBe(413);
  });

  test.each(named(WRITING))('TR-8 malformed JSON is 400: $name', async ({ route }) => {
    const { url, headers } = await aim(route);
    const malformed = [
      '{"a":',
      '{"a":1,"a":2}',
      '\ufeff{}',
      Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
      '{"a":"\\ud800"}',
      `${'['.repeat(400)}${']'.repeat(400)}`,
    ];
    for (const body of malformed) {
      expect(await attack(route, { url: url(), headers: await headers(JSON_TYPE), body })).toBe(400);
    }
  });

  test.each(named(WRITING))('TR-8 anything but JSON is 415: $name', async ({ route }) => {
    const { url, headers } = await aim(route);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'text/xml',
    ]) {
      expect(await attack(route, { url: url(), headers: await headers(type), body: 'a=1' })).toBe(415);
    }
  });

  test.each(named(WITH_BODY))('TR-8 a body of the wrong type is 400: $name', async ({ route }) => {
    const { url, headers } = await aim(route);
    for (const body of ['[]', '"text"', '12', 'true', '[{}]']) {
      expect(await attack(route, { url: url(), headers: await headers(JSON_TYPE), body })).toBe(400);
    }
  });

  test.each(named(WITH_BODY))('TR-8 an unknown field is 400, prototype injection too: $name', async ({ route }) => {
    const { url, headers, prepared } = await aim(route);
    const fields = JSON.stringify(prepared.body ?? {}).slice(1, -1);
    const more = fields === '' ? '' : `,${fields}`;
    for (const field of [
      '"unknown_field":1',
      '"__proto__":{"role":"admin"}',
      '"constructor":{"prototype":{"admin":1}}',
    ]) {
      const body = `{${field}${more}}`;
      const status = await attack(route, { url: url(), headers: await headers(JSON_TYPE), body });
      if (!OPEN.has(nameOf(route))) expect(status).toBe(400);
    }
    expect(({} as Record<string, unknown>).role).toBeUndefined();
  });

  test.each(named(WITH_BODY))('TR-8 no field of any wrong kind breaks the server: $name', async ({ route }) => {
    const { url, headers, prepared } = await aim(route);
    const valid = (prepared.body ?? {}) as Record<string, unknown>;
    const values = [
      null,
      -1,
      1e308,
      '',
      '\u0000',
      "' or 1=1; drop table accounts; --",
      'x'.repeat(900),
      [],
      [[]],
      {},
      true,
    ];
    for (const field of Object.keys(valid)) {
      for (const value of values) {
        const body = JSON.stringify({ ...valid, [field]: value });
        await attack(route, { url: url(), headers: await headers(JSON_TYPE), body });
      }
    }
    const { body: ready } = await world.server.call('GET', '/ready');
    expect(ready).toEqual({ status: 'ready' });
  });
});

/** Bytes that are not even a request. */
function sendRaw(text: string): Promise<string> {
  const { hostname, port } = new URL(world.server.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = '';
    socket.setEncoding('utf8').on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', reject).on('close', () => resolve(answer));
  });
}

describe('TR-7 what is no request at all', () => {
  test.each([
    ['garbage', 'hello\r\n\r\n', 400],
    [
      'header smuggling: two lengths',
      'POST /agents HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello',
      400,
    ],
    [
      'header smuggling: a length and chunks',
      'POST /agents HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
    ['an address that cannot be decoded', 'GET /agents/%E0%A4%A HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 400],
  ])('TR-7 %s is answered in our own form', async (_name, text, status) => {
    const answer = await sendRaw(text);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    const { error } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4));
    expect(error).toMatchObject({ code: 'BAD_REQUEST', request_id: expect.any(String) });
  });
});

const HOSTILE_WORDS = [
  "' or 1=1 --",
  '../../../etc/passwd',
  '\u0000',
  '__proto__',
  '%00',
  '-1',
  '9'.repeat(40),
  'x'.repeat(1_500),
  '😀',
  '00000000-0000-0000-0000-00000000000g',
];

/** The mirror takes any name of the right form. */
function isName({ path, params }: RouteContract, name: string, word: string): boolean {
  const { pattern = '^$' } = (params as { properties: Record<string, { pattern?: string }> }).properties[name]!;
  return path.startsWith('/mirror/') && new RegExp(pattern, 'u').test(word);
}

describe('TR-8 hostile addresses', () => {
  test.each(named(WITH_PARAMS))('TR-8 a parameter of any kind is 4xx: $name', async ({ route }) => {
    const { url, headers, prepared } = await aim(route);
    const body = prepared.body === undefined ? {} : { body: JSON.stringify(prepared.body) };
    const type = prepared.body === undefined ? undefined : JSON_TYPE;
    for (const name of Object.keys(prepared.params ?? {})) {
      for (const word of HOSTILE_WORDS) {
        const status = await attack(route, {
          url: url({ params: { [name]: word } }),
          headers: await headers(type),
          ...body,
        });
        if (!isName(route, name, word)) expect([word, status >= 400]).toEqual([word, true]);
      }
    }
  });

  test.each(named(WITH_QUERY))(
    'TR-8 a query of any kind is answered, an unknown one is 400: $name',
    async ({ route }) => {
      const { url, headers } = await aim(route);
      const { properties = {} } = route.query as { properties?: Record<string, unknown> };
      for (const name of Object.keys(properties)) {
        for (const word of HOSTILE_WORDS)
          await attack(route, { url: url({ query: { [name]: word } }), headers: await headers() });
        await attack(route, {
          url: `${url()}${url().includes('?') ? '&' : '?'}${name}=a&${name}=b`,
          headers: await headers(),
        });
      }
      expect(await attack(route, { url: url({ query: { unknown: '1' } }), headers: await headers() })).toBe(400);
    },
  );
});
