import { inspect } from 'node:util';
import type { SkillDescriptor } from '@parley/documents/skill';
import { createSkillClient, type ProgressEvent, type SkillClientOptions } from '@parley/skills';
import { describe, expect, it } from 'vitest';
import {
  DONE,
  describeSkill,
  drop,
  dropMidBody,
  fail,
  hang,
  json,
  type ScriptedServer,
  serveScript,
  type Turn,
} from './misbehaving-server.ts';

const client = (options: SkillClientOptions = {}) => createSkillClient({ allowLoopback: true, ...options });
const INPUTS = { text: 'hi' };

/** Invokes the skill of the script, and tells what was reported. */
async function run(server: ScriptedServer, changes = {}, options = {}) {
  const events: ProgressEvent[] = [];
  const onProgress = (event: ProgressEvent) => events.push(event);
  const result = client().invoke(describeSkill(server.origin, changes), INPUTS, { onProgress, ...options });
  return {
    events,
    result: await result.then(
      (value) => ({ value }),
      (error) => ({ error }),
    ),
  };
}

describe('TR-7, SI-4 an endpoint that cannot be reached', () => {
  const once = { max_attempts: 1, backoff_ms: 0 };
  const failed = async (descriptor: SkillDescriptor) => {
    const endpoint = { ...descriptor.endpoint, url: `${descriptor.endpoint.url}?key=k3y`, retry: once };
    const call = createSkillClient({ allowLoopback: true }).invoke({ ...descriptor, endpoint }, { text: 'hi' });
    const error = await call.catch((thrown: unknown) => thrown);
    expect(inspect(error, { depth: 20 })).not.toContain('k3y');
    return error;
  };

  it('says why, and keeps its cause: refused, unknown name, hung up in the middle', async () => {
    expect(await failed(describeSkill('http://127.0.0.1:9'))).toMatchObject({
      code: 'ENDPOINT_UNREACHABLE',
      network: 'refused',
      message: expect.stringContaining('The connection was refused'),
      cause: { code: 'FETCH_UNREACHABLE', cause: { code: 'ECONNREFUSED' } },
    });
    expect(await failed(describeSkill('https://x.invalid'))).toMatchObject({ network: 'name_unknown' });
    const amid = await serveScript({ '/invoke': dropMidBody });
    expect(await failed(describeSkill(amid.origin))).toMatchObject({
      code: 'ENDPOINT_UNREACHABLE',
      network: 'hung_up',
    });
  });
});

describe('SI-1 invocation', () => {
  it('a direct 200 with output', async () => {
    const server = await serveScript({ '/invoke': json(200, DONE) });
    const caller = { id: 'me', type: 'user' } as const;
    const context = { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', priority: 'high', timeout_ms: 5_000 };
    const { output } = await client().invoke(describeSkill(server.origin), INPUTS, { caller, context });
    expect(output).toEqual({ text: 'hi' });
    const [hit] = server.hits;
    expect(JSON.parse(hit!.body)).toEqual({
      caller,
      skill_id: 'com.example.echo',
      inputs: { text: 'hi', times: 1 },
      context,
    });
    expect(hit!.headers.traceparent).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[\da-f]{16}-01$/);
    expect(hit!.headers['content-type']).toBe('application/json');
  });

  it('202, status until completed, then the result; every state is reported once', async () => {
    const server = await serveScript({
      '/invoke': json(202, { execution_id: 'e1', status: 'accepted' }, { 'retry-after': '0' }),
      '/status/e1': [
        json(200, { execution_id: 'e1', status: 'running', progress: 0.5, retry: { suggested_delay_ms: 0 } }),
        json(200, { execution_id: 'e1', status: 'running', progress: 0.5, retry: { suggested_delay_ms: 0 } }),
        json(200, { execution_id: 'e1', status: 'completed' }),
      ],
      '/result/e1': json(200, DONE),
    });
    const { result, events } = await run(server);
    expect(result).toEqual({ value: { output: { text: 'hi' }, executionId: 'e1' } });
    expect(events).toEqual([
      { type: 'state', status: 'accepted', executionId: 'e1' },
      { type: 'state', status: 'running', executionId: 'e1', progress: 0.5 },
      { type: 'state', status: 'completed', executionId: 'e1' },
    ]);
    expect(server.asked()).toEqual([
      'POST /invoke',
      'GET /status/e1',
      'GET /status/e1',
      'GET /status/e1',
      'GET /result/e1',
    ]);
  });

  it.each([
    ['failed with its code', { status: 'failed', error: { code: 'RATE_LIMITED', message: 'x' } }, 'RATE_LIMITED'],
    ['failed with a code nobody knows', { status: 'failed', error: { code: 'BOOM' } }, 'EXECUTION_FAILED'],
    ['failed without a word', { status: 'failed' }, 'EXECUTION_FAILED'],
    ['cancelled', { status: 'cancelled' }, 'EXECUTION_CANCELLED'],
    ['a status nobody knows', { status: 'sleeping' }, 'OUTPUT_INVALID'],
  ])('an execution that %s', async (_, state, code) => {
    const server = await serveScript({
      '/invoke': json(202, { execution_id: 'e1', status: 'accepted' }, { 'retry-after': '0' }),
      '/status/e1': json(200, state),
    });
    expect((await run(server)).result).toMatchObject({ error: { code } });
  });

  it('a 202 that nobody can follow is invalid', async () => {
    const server = await serveScript({ '/invoke': json(202, { execution_id: 'e1', status: 'accepted' }) });
    const { status_url: _, ...endpoint } = describeSkill(server.origin).endpoint;
    const descriptor = { ...describeSkill(server.origin), endpoint };
    await expect(client().invoke(descriptor, INPUTS)).rejects.toMatchObject({ code: 'OUTPUT_INVALID' });
  });

  it('attack: an execution id that climbs out of the status address', async () => {
    const server = await serveScript({
      '/invoke': json(202, { execution_id: '../admin?x=', status: 'accepted' }, { 'retry-after': '0' }),
    });
    await run(server);
    expect(server.asked()).toEqual(['POST /invoke', 'GET /status/..%2Fadmin%3Fx%3D']);
  });
});

describe('SI-2 checks before and after', () => {
  it('inputs that break their schemas are never sent, and all is told at once', async () => {
    const server = await serveScript({ '/invoke': json(200, DONE) });
    const call = client().invoke(describeSkill(server.origin), { text: '', times: 1.5, more: true });
    await expect(call).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      params: { violation_count: 3 },
      details: {
        violations: expect.arrayContaining([
          expect.objectContaining({ field: '/inputs/text' }),
          expect.objectContaining({ field: '/inputs/times' }),
          expect.objectContaining({ field: '/inputs/more' }),
        ]),
      },
    });
    expect(server.hits).toHaveLength(0);
  });

  it.each([null, [], 'text'])('inputs that are %j are refused', async (inputs) => {
    const call = client().invoke(describeSkill('http://127.0.0.1:9'), inputs as never);
    await expect(call).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('an invalid descriptor is not used', async () => {
    const descriptor = { ...describeSkill('http://127.0.0.1:9'), version: 'x' };
    await expect(client().invoke(descriptor, INPUTS)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { violations: [{ field: '/version' }] },
    });
  });

  it('SD-6 nor is one of another protocol', async () => {
    const descriptor = describeSkill('http://127.0.0.1:9', { protocol: { version: '2.0.0' } });
    await expect(client().invoke(descriptor, INPUTS)).rejects.toMatchObject({
      code: 'VERSION_INCOMPATIBLE',
      details: { descriptor_version: '2.0.0', consumer_supported_range: '>=1.0.0 <2.0.0' },
    });
  });

  it.each<[string, Turn, object]>([
    ['that breaks its schema', json(200, { output: { text: 5 } }), { violations: [{ field: '/output/text' }] }],
    ['that is missing', json(200, { result: 1 }), { reason: 'no_output' }],
    [
      'in another content type',
      (r) => void r.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      { reason: 'content_type' },
    ],
    ['without content type', (r) => void r.writeHead(200).end('{"output":{"text":"a"}}'), { reason: 'content_type' }],
    [
      'that is not JSON',
      (r) => void r.writeHead(200, { 'content-type': 'application/json' }).end('{"output":'),
      { reason: 'content_type' },
    ],
    [
      'with a key twice',
      (r) =>
        void r
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"output":{"text":"a"},"output":{"text":"b"}}'),
      {},
    ],
    ['on a 204', (r) => void r.writeHead(204).end(), { reason: 'content_type' }],
  ])('output %s is OUTPUT_INVALID', async (_, turn, details) => {
    const server = await serveScript({ '/invoke': turn });
    expect((await run(server)).result).toMatchObject({ error: { code: 'OUTPUT_INVALID', details } });
    expect(server.hits).toHaveLength(1);
  });

  it('attack: a result without end is read up to the limit only', async () => {
    const pour: Turn = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const write = () => {
        while (response.write(' '.repeat(10_000)));
        response.once('drain', write);
      };
      write();
    };
    const server = await serveScript({ '/invoke': pour });
    const call = client({ maxBytes: 50_000 }).invoke(describeSkill(server.origin), INPUTS);
    await expect(call).rejects.toMatchObject({
      code: 'OUTPUT_INVALID',
      details: { reason: 'too_large', limit: 50_000 },
    });
  });

  it('text and bytes come as they are, where the descriptor says so', async () => {
    const server = await serveScript({
      '/invoke': [
        (r) => void r.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('héllo'),
        (r) => void r.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.from([1, 2])),
      ],
    });
    const text = describeSkill(server.origin, { output: { content_type: 'text/plain', schema: { minLength: 2 } } });
    const image = describeSkill(server.origin, { output: { content_type: 'image/png' } });
    expect((await client().invoke(text, INPUTS)).output).toBe('héllo');
    expect([...((await client().invoke(image, INPUTS)).output as Uint8Array)]).toEqual([1, 2]);
  });
});

describe('SI-3 retries', () => {
  it.each<[string, Turn, string]>([
    ['a connection dropped before the answer', drop, 'ENDPOINT_UNREACHABLE'],
    ['a connection dropped in the body', dropMidBody, 'ENDPOINT_UNREACHABLE'],
    ['429', fail(429), 'RATE_LIMITED'],
    ['502', fail(502), 'ENDPOINT_UNREACHABLE'],
    ['503', fail(503), 'ENDPOINT_UNREACHABLE'],
    ['504', fail(504), 'EXECUTION_TIMEOUT'],
  ])('after %s with the same key, up to max_attempts', async (_, turn, code) => {
    const lucky = await serveScript({ '/invoke': [turn, turn, json(200, DONE)] });
    const { result, events } = await run(lucky);
    expect(result).toEqual({ value: { output: { text: 'hi' } } });
    expect(new Set(lucky.hits.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
    expect(new Set(lucky.hits.map(({ body }) => body)).size).toBe(1);
    expect(events).toMatchObject([
      { type: 'retry', step: 'invoke', attempt: 1, maxAttempts: 3, code },
      { type: 'retry', step: 'invoke', attempt: 2, maxAttempts: 3, code },
    ]);
    const hopeless = await serveScript({ '/invoke': turn });
    expect((await run(hopeless)).result).toMatchObject({ error: { code } });
    expect(hopeless.hits).toHaveLength(3);
  });

  it.each([
    [400, 'VALIDATION_ERROR'],
    [401, 'AUTH_REQUIRED'],
    [403, 'PERMISSION_DENIED'],
    [404, 'SKILL_NOT_FOUND'],
    [408, 'EXECUTION_TIMEOUT'],
    [409, 'EXECUTION_CANCELLED'],
    [418, 'EXECUTION_FAILED'],
    [422, 'VALIDATION_ERROR'],
    [500, 'EXECUTION_FAILED'],
    [501, 'EXECUTION_FAILED'],
  ])('never after %i, which is %s', async (status, code) => {
    const server = await serveScript({ '/invoke': fail(status) });
    const { result, events } = await run(server);
    expect(result).toMatchObject({ error: { code, status } });
    expect(server.hits).toHaveLength(1);
    expect(events).toEqual([]);
  });

  it('a port that nobody listens on is tried again, too', async () => {
    const { result, events } = await run({ origin: 'http://127.0.0.1:9' } as ScriptedServer);
    expect(result).toMatchObject({ error: { code: 'ENDPOINT_UNREACHABLE', retry: true } });
    expect(events).toHaveLength(2);
  });

  it('two invocations have two keys', async () => {
    const server = await serveScript({ '/invoke': json(200, DONE) });
    await run(server);
    await run(server);
    expect(new Set(server.hits.map(({ headers }) => headers['idempotency-key'])).size).toBe(2);
  });

  const delays = async (turn: Turn, random: number, retry: object = { max_attempts: 4, backoff_ms: 8 }) => {
    const server = await serveScript({ '/invoke': [turn, turn, turn, json(200, DONE)] });
    const events: ProgressEvent[] = [];
    const { endpoint } = describeSkill(server.origin);
    const descriptor = describeSkill(server.origin, { endpoint: { ...endpoint, retry } });
    const onProgress = (event: ProgressEvent) => events.push(event);
    await client({ random: () => random })
      .invoke(descriptor, INPUTS, { onProgress })
      .catch(() => {});
    return events.map((event) => (event.type === 'retry' ? event.delayMs : Number.NaN));
  };

  it('wait exponentially from backoff_ms, with jitter', async () => {
    expect(await delays(fail(503), 1)).toEqual([8, 16, 32]);
    expect(await delays(fail(503), 0)).toEqual([4, 8, 16]);
  });

  it('Retry-After and the error’s own retry win, the longer of the two', async () => {
    expect(await delays(fail(429, { retry: { suggested_delay_ms: 3 } }), 1)).toEqual([3, 3, 3]);
    expect(await delays(fail(429, { retry: { suggested_delay_ms: 3 } }, { 'retry-after': '0' }), 1)).toEqual([3, 3, 3]);
    expect(await delays(fail(503, {}, { 'retry-after': '0' }), 1)).toEqual([0, 0, 0]);
    const past = new Date(0).toUTCString();
    expect(await delays(fail(503, {}, { 'retry-after': past }), 1)).toEqual([0, 0, 0]);
  });

  it('the error’s own max_attempts wins, and is bounded', async () => {
    expect(await delays(fail(429, { retry: { suggested_delay_ms: 0, max_attempts: 2 } }), 1)).toEqual([0]);
    const server = await serveScript({ '/invoke': fail(429, { retry: { suggested_delay_ms: 0, max_attempts: 1e6 } }) });
    await run(server);
    expect(server.hits).toHaveLength(10);
  });

  it('a wait longer than the time left is not begun', async () => {
    const server = await serveScript({ '/invoke': fail(429, {}, { 'retry-after': '3600' }) });
    const { result, events } = await run(server);
    expect(result).toMatchObject({ error: { code: 'RATE_LIMITED', params: { retry_after_seconds: 3600 } } });
    expect(events).toEqual([]);
  });

  it('the status is asked for again, too', async () => {
    const server = await serveScript({
      '/invoke': json(202, { execution_id: 'e1', status: 'accepted' }, { 'retry-after': '0' }),
      '/status/e1': [fail(503), drop, json(200, { status: 'completed' })],
      '/result/e1': [dropMidBody, json(200, DONE)],
    });
    const { result, events } = await run(server);
    expect(result).toMatchObject({ value: { output: { text: 'hi' } } });
    expect(events.flatMap((event) => (event.type === 'retry' ? [event.step] : []))).toEqual([
      'status',
      'status',
      'result',
    ]);
  });
});

describe('SI-3 the smaller time-out', () => {
  it.each<[string, object, object]>([
    ['of the endpoint', { timeout_ms: 1_500 }, { timeout_ms: 60_000 }],
    ['of the context', { timeout_ms: 60_000 }, { timeout_ms: 1_500 }],
  ])('%s ends a server that never answers', async (_, endpoint, context) => {
    const server = await serveScript({ '/invoke': hang });
    const { endpoint: own } = describeSkill(server.origin);
    const { result } = await run(server, { endpoint: { ...own, ...endpoint } }, { context });
    expect(result).toMatchObject({ error: { code: 'EXECUTION_TIMEOUT' } });
    expect(server.hits).toHaveLength(1);
  });

  it('ends a body that trickles, and an execution that goes on, which the provider is told', async () => {
    const trickle: Turn = (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 5);
      response.on('close', () => clearInterval(timer));
    };
    const slow = await serveScript({ '/invoke': trickle });
    expect((await run(slow, {}, { context: { timeout_ms: 1_500 } })).result).toMatchObject({
      error: { code: 'EXECUTION_TIMEOUT' },
    });
    const endless = await serveScript({
      '/invoke': json(202, { execution_id: 'e1', status: 'accepted' }, { 'retry-after': '0' }),
      '/status/e1': json(200, { status: 'running', retry: { suggested_delay_ms: 10 } }),
      '/cancel/e1': json(200, {}),
    });
    expect((await run(endless, {}, { context: { timeout_ms: 1_500 } })).result).toMatchObject({
      error: { code: 'EXECUTION_TIMEOUT' },
    });
    expect(endless.asked().at(-1)).toBe('POST /cancel/e1');
  });
});

describe('SI-3 redirects', () => {
  const redirect =
    (status: number, location: string): Turn =>
    (response) =>
      response.writeHead(status, { location }).end();

  it('a POST is repeated at its own origin only', async () => {
    const other = await serveScript({ '/invoke': json(200, DONE) });
    const server = await serveScript({ '/invoke': redirect(308, '/there'), '/there': json(200, DONE) });
    expect((await run(server)).result).toMatchObject({ value: { output: { text: 'hi' } } });
    const away = await serveScript({ '/invoke': redirect(307, `${other.origin}/invoke`) });
    expect((await run(away)).result).toMatchObject({
      error: { code: 'ENDPOINT_UNREACHABLE', details: { reason: 'redirect_refused' } },
    });
    expect([away.hits.length, other.hits.length]).toEqual([1, 0]);
  });

  it('at most three', async () => {
    const server = await serveScript({ '/invoke': redirect(307, '/invoke') });
    expect((await run(server)).result).toMatchObject({ error: { code: 'ENDPOINT_UNREACHABLE' } });
    expect(server.hits).toHaveLength(4);
  });

  it.each(['http://169.254.169.254/latest', 'http://10.0.0.1/', 'https://[fd00::1]/'])(
    'SI-6 attack: a status that redirects to %s is blocked',
    async (target) => {
      const server = await serveScript({
        '/invoke': json(202, { execution_id: 'e1', status: 'accepted' }, { 'retry-after': '0' }),
        '/status/e1': redirect(302, target),
      });
      expect((await run(server)).result).toMatchObject({ error: { code: 'ADDRESS_BLOCKED' } });
    },
  );
});

describe('SI-6 addresses', () => {
  it('attack: a name that resolves to loopback', async () => {
    const server = await serveScript({ '/invoke': json(200, DONE) });
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const descriptor = describeSkill(`https://inner.example:${server.port}`);
    const call = createSkillClient({ resolve }).invoke(descriptor, INPUTS);
    await expect(call).rejects.toMatchObject({ code: 'ADDRESS_BLOCKED', retry: false });
    expect(server.hits).toHaveLength(0);
  });

  it('attack: loopback in the descriptor, without leave', async () => {
    const call = createSkillClient().invoke(describeSkill('https://127.0.0.1'), INPUTS);
    await expect(call).rejects.toMatchObject({ code: 'ADDRESS_BLOCKED' });
  });
});

describe('SI-1 cancellation', () => {
  it('ends the wait at once, and the provider is told', async () => {
    const server = await serveScript({
      '/invoke': json(202, { execution_id: 'e1', status: 'accepted' }, { 'retry-after': '60' }),
      '/cancel/e1': json(200, {}),
    });
    const controller = new AbortController();
    const onProgress = ({ type }: ProgressEvent) => type === 'state' && controller.abort();
    const call = client().invoke(describeSkill(server.origin, {}), INPUTS, {
      signal: controller.signal,
      onProgress,
    });
    await expect(call).rejects.toMatchObject({ code: 'EXECUTION_CANCELLED' });
    expect(server.asked()).toEqual(['POST /invoke', 'POST /cancel/e1']);
  });

  it('a provider that knows no cancelling changes nothing', async () => {
    const server = await serveScript({
      '/invoke': json(202, { execution_id: 'e1', status: 'accepted' }, { 'retry-after': '60' }),
      '/cancel/e1': drop,
    });
    const controller = new AbortController();
    const onProgress = ({ type }: ProgressEvent) => type === 'state' && controller.abort();
    const { signal } = controller;
    const call = client().invoke(describeSkill(server.origin), INPUTS, { signal, onProgress });
    await expect(call).rejects.toMatchObject({ code: 'EXECUTION_CANCELLED' });
  });

  it('before anything was sent sends nothing', async () => {
    const server = await serveScript({ '/invoke': json(200, DONE) });
    const call = client().invoke(describeSkill(server.origin), INPUTS, { signal: AbortSignal.abort() });
    await expect(call).rejects.toMatchObject({ code: 'EXECUTION_CANCELLED' });
    expect(server.hits).toHaveLength(0);
  });

  it('during the request ends it', async () => {
    const controller = new AbortController();
    const server = await serveScript({ '/invoke': () => controller.abort() });
    const call = client().invoke(describeSkill(server.origin), INPUTS, { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: 'EXECUTION_CANCELLED' });
  });
});

describe('SI-4 errors', () => {
  it('keep the provider’s words apart, fit to be shown', async () => {
    const error = { code: 'PERMISSION_DENIED', message: '\u202eno\nway', details: { violations: [{ field: '/x' }] } };
    const server = await serveScript({ '/invoke': fail(400, error) });
    expect((await run(server)).result).toMatchObject({
      error: {
        code: 'PERMISSION_DENIED',
        message: 'These credentials don’t allow using this skill.',
        details: { provider_message: '[U+202E]no␊way', violations: [{ field: '/x' }] },
      },
    });
  });

  it('attack: a provider cannot claim what only this side knows', async () => {
    const server = await serveScript({ '/invoke': fail(500, { code: 'ADDRESS_BLOCKED' }) });
    expect((await run(server)).result).toMatchObject({ error: { code: 'EXECUTION_FAILED' } });
  });
});
