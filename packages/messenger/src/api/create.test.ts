import { agentRoutes, authRoutes, conversationRoutes, deviceRoutes } from '@parley/protocol';
import { describe, expect, test, vi } from 'vitest';
import type { ApiError } from './api-error.ts';
import { createApi } from './create.ts';
import type { Credentials } from './credentials.ts';

const ID = '0190b3a0-0000-7000-8000-000000000001';
const START = Date.parse('2026-01-01T00:00:00.000Z');

function json(status: number, body: unknown, headers: Record<string, string> = {}): Response {
  return new Response(body === null ? null : JSON.stringify(body), { status, headers });
}

function start(
  answer: (request: Request) => Response | Promise<Response>,
  credentials: Credentials = { kind: 'none' },
) {
  const requests: Request[] = [];
  let time = START;
  const api = createApi({
    baseUrl: 'http://server.test/',
    credentials,
    platform: {
      fetch: async (input, init) => {
        const request = new Request(input, init);
        requests.push(request);
        return answer(request);
      },
      now: () => new Date(time),
      setTimer: (callback, ms) => {
        if (ms < 5_000) queueMicrotask(callback);
        return () => {};
      },
    },
  });
  return { api, requests, pass: (ms: number) => (time += ms) };
}

const tokens = (number: number) => ({
  user_id: ID,
  access_token: `access-${number}`,
  expires_in_seconds: 300,
  refresh_token: `refresh-${number}`,
});
const ack = { message_id: ID, conversation_seq: 1, client_message_id: 'm' };
const me = {
  user_id: ID,
  email: 'a@b.c',
  display_name: 'Ada',
  role: 'user',
  account_key: null,
  session_id: ID,
  device_id: null,
  created_at: '2026-01-01T00:00:00.000Z',
};
const jwt = (exp: number) => `e30.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.sig`;

describe('EE-25 the server’s time', () => {
  test('EE-25 comes with every reply, errors too, but not out of a cache', async () => {
    const at = new Date(START - 3_600_000).toUTCString();
    const ask = async (headers: Record<string, string>, status = 200) => {
      const { api } = start(() => json(status, { messages: [], last_seq: 0 }, headers));
      await api.call(authRoutes.me).catch(() => {});
      return api.clock.pruningTime();
    };
    const time = new Date(START - 3_600_000);
    expect(await ask({ date: at })).toEqual(time);
    expect(await ask({ date: at, 'cache-control': 'no-store' }, 503)).toEqual(time);
    expect(await ask({ date: at, 'cache-control': 'public, max-age=300' })).toBeUndefined();
    expect(await ask({ date: 'yesterday' })).toBeUndefined();
    expect(await ask({})).toBeUndefined();
  });
});

describe('TR-7 a call', () => {
  test('puts parameters into the path as one segment each, and the query behind it', async () => {
    const { api, requests } = start(() => json(200, { messages: [], last_seq: 0 }));
    const query = { after: '7' };
    await api.call(conversationRoutes.listMessages, { params: { conversation_id: 'a/b?c' }, query });
    expect(requests[0]!.url).toBe('http://server.test/conversations/a%2Fb%3Fc/messages?after=7');
    expect(requests[0]!.redirect).toBe('manual');
    for (const agent_id of ['', '.', '..']) {
      await expect(api.call(agentRoutes.readAgent, { params: { agent_id } })).rejects.toThrow();
    }
    expect(requests).toHaveLength(1);
  });

  test('is refused as a redirect also where the browser hides its status', async () => {
    const hidden = Object.defineProperties(new Response('{}'), { type: { value: 'opaqueredirect' } });
    const { api, requests } = start(() => hidden, { kind: 'agent', token: 't' });
    await expect(api.call(authRoutes.me)).rejects.toMatchObject({ code: 'UNREACHABLE', network: 'redirected' });
    expect(requests).toHaveLength(1);
  });

  test('carries the words of the server, and when to come back', async () => {
    const error = {
      code: 'RATE_LIMITED',
      message: 'Slow down.',
      i18n_key: 'k',
      params: { limit: 60 },
      request_id: 'r',
    };
    const { api } = start(() => json(429, { error }, { 'retry-after': '12' }));
    const failed = (await api.call(authRoutes.me).catch((thrown: unknown) => thrown)) as ApiError;
    expect(failed).toMatchObject({ status: 429, code: 'RATE_LIMITED', message: 'Slow down.', retryAfterMs: 12_000 });
    expect(failed.params).toEqual({ limit: 60 });
  });

  test('makes do with the status when someone in between answers', async () => {
    for (const [status, code] of [
      [502, 'UNAVAILABLE'],
      [401, 'UNAUTHENTICATED'],
      [404, 'NOT_FOUND'],
    ] as const) {
      const { api } = start(() => new Response('<html>', { status }));
      await expect(api.call(authRoutes.me)).rejects.toMatchObject({ status, code, params: {} });
    }
  });

  test('has a sentence without holes for a proxy that limits requests', async () => {
    const { api } = start(() => new Response('busy', { status: 429 }));
    const limited = (await api.call(authRoutes.me).catch((thrown: unknown) => thrown)) as ApiError;
    expect(limited.explain('en')).toBe('Too many requests. Try again in 60 seconds.');
  });

  test('refuses a reply that its contract does not allow, and one without an end', async () => {
    for (const body of [{ ...me, user_id: '../x' }, { ...me, role: 'root' }, [], null]) {
      const { api } = start(() => json(200, body));
      await expect(api.call(authRoutes.me)).rejects.toMatchObject({ code: 'REPLY_INVALID' });
    }
    const { api } = start(() => new Response('x', { headers: { 'content-length': String(2 ** 40) } }));
    await expect(api.call(authRoutes.me)).rejects.toMatchObject({ code: 'REPLY_INVALID' });
    const cancel = vi.fn();
    const chunk = new Uint8Array(8 * 1024 * 1024);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(chunk), cancel });
    const other = start(() => new Response(endless));
    await expect(other.api.call(authRoutes.me)).rejects.toMatchObject({ code: 'REPLY_INVALID' });
    expect(cancel).toHaveBeenCalled();
  });

  test('tells a network from a refusal, without a word about the token', async () => {
    const credentials = { kind: 'agent', token: 'hsk_secret' } as const;
    const { api } = start(() => Promise.reject(new TypeError('fetch failed: hsk_secret')), credentials);
    const failed = (await api.call(authRoutes.me).catch((thrown: unknown) => thrown)) as ApiError;
    expect(failed).toMatchObject({ status: 0, code: 'UNREACHABLE' });
    expect(String(failed.stack)).not.toContain('hsk_secret');
  });

  test('has no body where the contract has no reply', async () => {
    const { api } = start(() => new Response(null, { status: 204 }));
    expect(await api.call(deviceRoutes.revokeDevice, { params: { device_id: ID } })).toBeNull();
  });
});

describe('TR-9 a session', () => {
  const answering = (refresh: () => Response | Promise<Response>, accepted: string[]) => (request: Request) => {
    if (request.url.endsWith('/auth/refresh')) return refresh();
    const token = request.headers.get('authorization')?.slice('Bearer '.length) ?? '';
    return accepted.includes(token) ? json(200, me) : json(401, null);
  };

  test('is refreshed once for all who ask at the same time, and the new token is kept before it is used', async () => {
    const kept: string[] = [];
    const accepted: string[] = [];
    const refresh = vi.fn(async () => json(200, tokens(1)));
    const onTokens = async ({ refreshToken }: { refreshToken?: string }) => {
      kept.push(refreshToken!);
      accepted.push('access-1');
    };
    const credentials = { kind: 'session', accessToken: 'stale', refreshToken: 'refresh-0', onTokens } as const;
    const { api, requests } = start(answering(refresh, accepted), credentials);
    await Promise.all([api.call(authRoutes.me), api.call(authRoutes.me), api.call(authRoutes.me)]);
    expect(refresh).toHaveBeenCalledTimes(1);
    expect(kept).toEqual(['refresh-1']);
    const asked = requests.find(({ url }) => url.endsWith('/auth/refresh'))!;
    expect(await asked.json()).toEqual({ refresh_token: 'refresh-0' });
    expect(asked.headers.get('authorization')).toBeNull();
  });

  test('is refreshed before it expires, each time with the token of the time before', async () => {
    let count = 0;
    const refresh = async () => json(200, tokens(++count));
    const accessToken = jwt(START / 1_000 + 300);
    const credentials = { kind: 'session', accessToken, refreshToken: 'refresh-0' } as const;
    const { api, requests, pass } = start(answering(refresh, []), credentials);
    expect(await api.token()).toBe(accessToken);
    pass(220_000);
    expect(await api.token()).toBe('access-1');
    pass(290_000);
    expect(await api.token()).toBe('access-2');
    const bodies = await Promise.all(requests.map((request) => request.json()));
    expect(bodies).toEqual([{ refresh_token: 'refresh-0' }, { refresh_token: 'refresh-1' }]);
  });

  test('AC-2 whose reply was lost asks again at once, with the same token', async () => {
    const answers = [() => Promise.reject(new TypeError('fetch failed')), async () => json(200, tokens(1))];
    const credentials = { kind: 'session', refreshToken: 'refresh-0' } as const;
    const { api, requests } = start(
      answering(() => answers.shift()!(), ['access-1']),
      credentials,
    );
    expect(await api.call(authRoutes.me)).toMatchObject({ user_id: ID });
    const asked = requests.filter(({ url }) => url.endsWith('/auth/refresh'));
    const bodies = await Promise.all(asked.map((request) => request.json()));
    expect(bodies).toEqual([{ refresh_token: 'refresh-0' }, { refresh_token: 'refresh-0' }]);
  });

  test('AC-2 shows the proof of the device each time, and keeps a new one', async () => {
    const proofs = [undefined, 'proof-2'];
    const kept: unknown[] = [];
    const refresh = async () => {
      const known_device = proofs.shift();
      return json(200, { ...tokens(1), ...(known_device === undefined ? {} : { known_device }) });
    };
    const onTokens = ({ knownDevice }: { knownDevice?: string }) => void kept.push(knownDevice);
    const credentials = { kind: 'session', refreshToken: 'refresh-0', knownDevice: 'proof-1', onTokens } as const;
    const { api, requests, pass } = start(answering(refresh, []), credentials);
    for (let i = 0; i < 3; i++) {
      await api.token();
      pass(290_000);
    }
    const bodies = await Promise.all(requests.map((request) => request.json()));
    expect(bodies.map(({ known_device }) => known_device)).toEqual(['proof-1', 'proof-1', 'proof-2']);
    expect(kept).toEqual(['proof-1', 'proof-2', 'proof-2']);
  });

  test('in a browser asks again when another tab was first', async () => {
    const conflict = { code: 'REFRESH_CONFLICT', message: '', i18n_key: '', params: {}, request_id: '' };
    const { refresh_token: _, ...cookie } = tokens(2);
    const answers = [json(409, { error: conflict }), json(200, cookie)];
    const { api } = start(
      answering(() => answers.shift()!, ['access-2']),
      { kind: 'session', cookie: true },
    );
    expect(await api.call(authRoutes.me)).toMatchObject({ user_id: ID });
  });

  test('WC-3 in a browser: a cookie that is another account’s by now gives no token here', async () => {
    const { refresh_token: _, ...cookie } = tokens(2);
    const { api, requests } = start(
      answering(() => json(200, cookie), ['access-2']),
      { kind: 'session', cookie: true, userId: 'another' },
    );
    await expect(api.call(authRoutes.me)).rejects.toMatchObject({ status: 401, code: 'UNAUTHENTICATED' });
    expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(['/auth/refresh']);
  });

  test('that has ended says so to everyone, and an agent is not refreshed at all', async () => {
    const over = start(
      answering(() => json(401, null), []),
      { kind: 'session', cookie: true },
    );
    await expect(over.api.call(authRoutes.me)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    await expect(over.api.token()).rejects.toMatchObject({ status: 401 });
    const again = start(
      answering(() => json(401, null), []),
      { kind: 'session', cookie: true },
    );
    const body = { email: 'a@b.c', account_password: 'correct horse' };
    await expect(again.api.call(authRoutes.login, { body })).rejects.toMatchObject({ status: 401 });
    expect(again.requests.at(-1)!.url).toContain('/auth/login');
    const agent = start(() => json(401, null), { kind: 'agent', token: 'hsk_x' });
    await expect(agent.api.call(authRoutes.me)).rejects.toMatchObject({ status: 401 });
    expect(agent.requests).toHaveLength(1);
    const nobody = start(() => json(200, ack));
    await expect(nobody.api.token()).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
  });
});
