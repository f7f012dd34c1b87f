import { createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { createContext, runInContext } from 'node:vm';
import { build } from 'vite';
import { describe, expect, it } from 'vitest';
import { parseWebhookPayload } from '../src/deliveries/payload.ts';
import { createWebhookHandler } from '../src/webhook/handler.ts';
import { toNodeHandler } from '../src/webhook/node-handler.ts';
import { ReplayMemory } from '../src/webhook/replay-memory.ts';
import { verifyWebhookSignature } from '../src/webhook/verify.ts';
import { AGENT, CONVERSATION, DEVICE, Fake, PERSON } from './harness/fake.ts';

const source = (path: string) => fileURLToPath(new URL(`../../${path}.ts`, import.meta.url));
const aliases = {
  '@parley/documents': source('documents/src/index'),
  '@parley/protocol': source('protocol/src/index'),
  '@parley/e2ee/browser': source('e2ee/src/provider/browser'),
  '@parley/e2ee': source('e2ee/src/index'),
  '@parley/messenger/browser': source('messenger/src/browser/index'),
  '@parley/messenger': source('messenger/src/index'),
};
const SECRET = `whsec_${randomBytes(32).toString('base64')}`;
const OTHER_SECRET = 'x'.repeat(40);
const DELIVERY = '0192f3a4-5b6c-7d8e-9f00-112233445566';
const now = new Date('2026-05-15T10:00:00.000Z');
const seconds = now.getTime() / 1_000;

interface Signing {
  readonly secret?: string;
  readonly timestamp?: number;
  readonly deliveryId?: string;
}

/** As the server signs (its own tests hold it to the guide). */
function sign(body: string, { secret = SECRET, timestamp = seconds, deliveryId = DELIVERY }: Signing = {}) {
  const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
  const ours = createHmac('sha256', secret).update(`${timestamp}.${deliveryId}.${body}`).digest('hex');
  const standard = createHmac('sha256', key).update(`${deliveryId}.${timestamp}.${body}`).digest('base64');
  return {
    'x-hashee-signature': ours,
    'x-hashee-timestamp': String(timestamp),
    'x-hashee-delivery-id': deliveryId,
    'x-hashee-agent-id': AGENT,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${standard}`,
  };
}
const only = (headers: Record<string, string>, prefix: string) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(prefix)));
const verify = (
  headers: Parameters<typeof verifyWebhookSignature>[1],
  body: string | Uint8Array,
  { secret = SECRET, at = now }: { secret?: string | string[]; at?: Date } = {},
) => verifyWebhookSignature(secret, headers, body, { now: at, replays: new ReplayMemory(300) });

describe('SK-5 verifyWebhookSignature', () => {
  const body = '{"text":"你好"}';

  it('SK-5 takes either signature, headers of Node or Fetch in any case, text or bytes', () => {
    const headers = sign(body);
    expect(verify(headers, body)).toBe(true);
    expect(verify(new Headers(headers), new TextEncoder().encode(body))).toBe(true);
    expect(verify(only(headers, 'x-hashee'), body)).toBe(true);
    expect(verify(only(headers, 'webhook'), body)).toBe(true);
    const shouted = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]);
    expect(verify(Object.fromEntries(shouted), body)).toBe(true);
    expect(verify(sign(body, { secret: OTHER_SECRET }), body, { secret: OTHER_SECRET })).toBe(true);
  });

  it('SK-5 attack: another body, secret, id or time, or no signature at all', () => {
    const headers = sign(body);
    expect(verify(headers, `${body} `)).toBe(false);
    expect(verify(headers, body, { secret: OTHER_SECRET })).toBe(false);
    const moved = { 'x-hashee-delivery-id': AGENT, 'webhook-id': AGENT };
    expect(verify({ ...headers, ...moved }, body)).toBe(false);
    const later = { 'x-hashee-timestamp': String(seconds + 1), 'webhook-timestamp': String(seconds + 1) };
    expect(verify({ ...headers, ...later }, body)).toBe(false);
    expect(verify({}, body)).toBe(false);
    const empty = { 'x-hashee-signature': '', 'webhook-signature': 'v1,' };
    expect(verify({ ...headers, ...empty }, body)).toBe(false);
    const odd = { 'x-hashee-signature': 'zz', 'webhook-signature': 'v1,*** v2,abc' };
    expect(verify({ ...headers, ...odd }, body)).toBe(false);
  });

  it('SK-5 raw bytes: a body that reads the same after parsing is not the same', () => {
    expect(verify(sign('{"a":1}'), '{ "a": 1 }')).toBe(false);
  });

  it('SK-5 five minutes either way, and no more', () => {
    for (const [offset, expected] of [
      [300, true],
      [301, false],
      [-300, true],
      [-301, false],
    ] as const) {
      expect(verify(sign(body, { timestamp: seconds - offset }), body)).toBe(expected);
    }
    expect(verify({ ...sign(body), 'x-hashee-timestamp': 'NaN', 'webhook-timestamp': '1e9' }, body)).toBe(false);
  });

  it('SK-5 while a secret is rotated, both are good', () => {
    const secret = [OTHER_SECRET, SECRET];
    expect(verify(sign(body), body, { secret })).toBe(true);
    expect(verify(sign(body, { secret: OTHER_SECRET }), body, { secret })).toBe(true);
    const [first, second] = [sign(body, { secret: OTHER_SECRET }), sign(body)];
    const both = { ...first, 'webhook-signature': `${first['webhook-signature']} ${second['webhook-signature']}` };
    expect(verify(both, body, { secret: SECRET })).toBe(true);
  });

  it('SK-5 attack: a request that is played again is refused, also with the other half of its headers', () => {
    const replays = new ReplayMemory(300);
    const again = (headers: Record<string, string>) => verifyWebhookSignature(SECRET, headers, body, { now, replays });
    const headers = sign(body);
    expect(again(headers)).toBe(true);
    expect(again(headers)).toBe(false);
    expect(again(only(headers, 'webhook'))).toBe(false);
    expect(again({ ...headers, 'x-hashee-delivery-id': AGENT })).toBe(false);
    expect(again(sign(body, { timestamp: seconds + 5 }))).toBe(true);
  });

  it('SK-5 attack: the same signed bytes, cut elsewhere, are no second request', () => {
    const [text, rest] = ['{"text":"a', 'b"}'];
    const headers = sign(`${text}.${rest}`, { secret: OTHER_SECRET });
    const moved = `${DELIVERY}.${text}`;
    expect(verify({ ...headers, 'x-hashee-delivery-id': moved }, rest, { secret: OTHER_SECRET })).toBe(false);
    expect(verify({ ...headers, 'webhook-id': `${DELIVERY}.${seconds}` }, rest, { secret: OTHER_SECRET })).toBe(false);
    // What was signed one way, read the other way: the time comes out of the text.
    const timed = sign(`{"text":"a.${seconds}.b"}`, { secret: OTHER_SECRET });
    const standard = {
      'webhook-id': `${seconds}.${DELIVERY}.{"text":"a`,
      'webhook-timestamp': String(seconds),
      'webhook-signature': `v1,${Buffer.from(timed['x-hashee-signature'], 'hex').toString('base64')}`,
    };
    expect(verify(standard, 'b"}', { secret: OTHER_SECRET })).toBe(false);
  });

  it('SK-5 the memory of replays lets go of what the window refuses anyway', () => {
    const replays = new ReplayMemory(300);
    expect(replays.isNew('a', 0)).toBe(true);
    expect(replays.isNew('a', 600)).toBe(false);
    expect(replays.isNew('b', 601)).toBe(true);
    expect(replays.isNew('a', 601)).toBe(true);
  });

  it('TR-5 a secret that is short or missing is the caller’s mistake', () => {
    for (const secret of ['', 'short', 'whsec_', `whsec_${'A'.repeat(8)}`, []]) {
      expect(() => verifyWebhookSignature(secret, {}, body)).toThrow(TypeError);
    }
  });
});

const envelope = (type: string, data: object, deliveryId = DELIVERY) =>
  JSON.stringify({ type, delivery_id: deliveryId, agent_id: AGENT, created_at: now.toISOString(), data });
const message = (client_message_id: string) => {
  const sender = { kind: 'human', id: PERSON, device_id: DEVICE };
  const label = { content_type: 'text', msg_subtype: 'text' };
  const created_at = now.toISOString();
  const header = { version: 1, conversation_id: CONVERSATION, sender, client_message_id, ...label, created_at };
  return {
    message_id: DELIVERY,
    conversation_id: CONVERSATION,
    conversation_seq: 1,
    client_message_id,
    sender,
    ...label,
    created_at,
    received_at: created_at,
    envelope: { header, ciphertext: 'AA', wraps: [], signature: 'AA' },
  };
};

describe('SK-5 parseWebhookPayload', () => {
  it('SK-5 gives what the type promises', () => {
    const parsed = parseWebhookPayload(envelope('message.new', message('m1')));
    expect(parsed.type === 'message.new' && parsed.data.client_message_id).toBe('m1');
    expect(parseWebhookPayload(envelope('ping', {})).type).toBe('ping');
  });

  it.each([
    ['no JSON', 'hello'],
    ['two keys of one name', '{"type":"ping","type":"message.new"}'],
    ['no delivery', '{}'],
    ['an unknown type', envelope('something.else', {})],
    ['data of another type', envelope('message.new', { hello: 1 })],
    ['an envelope that is none', envelope('message.new', { ...message('m'), envelope: {} })],
  ])('SK-5 attack: %s is refused', (_, body) => {
    expect(() => parseWebhookPayload(body)).toThrow(expect.objectContaining({ code: 'WEBHOOK_PAYLOAD_INVALID' }));
  });
});

describe('SK-5 createWebhookHandler', () => {
  const start = async () => {
    const fake = await Fake.start({ webhookSecrets: [SECRET] });
    const texts: string[] = [];
    const events: string[] = [];
    fake.agent.addMessageHandler((msg) => texts.push(msg.payload.text));
    fake.agent.addEventHandler((event) => events.push(event.type));
    const handler = createWebhookHandler(fake.agent, { now: () => now });
    const post = async (body: string, signing: Signing = {}, headers: Record<string, string> = {}) => {
      const init = { method: 'POST', body, headers: { ...sign(body, signing), ...headers } };
      const response = await handler(new Request('https://bot.example/hook', init));
      await fake.agent.idle();
      return { status: response.status, outcome: (await response.json()).outcome };
    };
    return { fake, texts, events, handler, post };
  };
  const id = (n: number) => `0192f3a4-5b6c-7d8e-9f00-${String(n).padStart(12, '0')}`;

  it('SK-5 hands messages and events to the agent’s handlers', async () => {
    const { texts, events, post } = await start();
    const body = envelope('message.new', message('m1'), id(1));
    expect(await post(body, { deliveryId: id(1) })).toEqual({ status: 200, outcome: 'handled' });
    const revoked = envelope('relation.revoked', { agent_id: AGENT, reason: 'user' }, id(2));
    expect(await post(revoked, { deliveryId: id(2) })).toEqual({ status: 200, outcome: 'handled' });
    expect(await post(envelope('ping', {}, id(3)), { deliveryId: id(3) })).toEqual({ status: 200, outcome: 'handled' });
    expect(texts).toEqual(['by webhook: m1']);
    expect(events).toEqual(['relation.revoked']);
  });

  it('TR-6 a delivery that is tried again is answered and not handled again', async () => {
    const { texts, post } = await start();
    const body = envelope('message.new', message('m1'));
    await post(body);
    expect(await post(body, { timestamp: seconds + 5 })).toEqual({ status: 200, outcome: 'repeated' });
    expect(await post(body)).toEqual({ status: 200, outcome: 'repeated' });
    const [one, two] = await Promise.all(
      [1, 2].map((n) => post(envelope('ping', {}, id(9)), { deliveryId: id(9), timestamp: seconds + n })),
    );
    expect([one!.outcome, two!.outcome].sort()).toEqual(['handled', 'repeated']);
    expect(texts).toHaveLength(1);
  });

  it('TR-6 what cannot be opened is not asked for again', async () => {
    const { texts, post } = await start();
    expect(await post(envelope('message.new', message('unreadable')))).toEqual({ status: 200, outcome: 'refused' });
    expect(texts).toEqual([]);
  });

  it('TR-6 a delivery whose handling failed may come again', async () => {
    const { fake, post, texts } = await start();
    const body = envelope('message.new', message('m1'));
    const { onMessage } = fake.handlers;
    fake.handlers = { ...fake.handlers, onMessage: () => Promise.reject(new Error('disk full')) };
    await expect(post(body)).rejects.toThrow('disk full');
    fake.handlers = { ...fake.handlers, onMessage };
    expect(await post(body, { timestamp: seconds + 1 })).toEqual({ status: 200, outcome: 'handled' });
    expect(texts).toHaveLength(1);
  });

  it('SK-5 attack: what is not signed, not ours, too large or no delivery gets nowhere', async () => {
    const { texts, handler, post } = await start();
    const body = envelope('message.new', message('m1'));
    expect((await post(body, { secret: OTHER_SECRET })).status).toBe(401);
    expect((await post('x'.repeat(1024 * 1024 + 1))).status).toBe(413);
    expect(await post('{}')).toEqual({ status: 400, outcome: 'payload' });
    expect(await post(body, { deliveryId: id(8) })).toEqual({ status: 400, outcome: 'payload' });
    const foreign = body.replace(`"agent_id":"${AGENT}"`, `"agent_id":"${PERSON}"`);
    expect(await post(foreign, { timestamp: seconds + 1 })).toEqual({ status: 400, outcome: 'agent' });
    expect((await handler(new Request('https://bot.example/hook'))).status).toBe(405);
    expect(texts).toEqual([]);
  });

  it('SK-5 an agent without a secret has no webhook', async () => {
    const fake = await Fake.start();
    expect(() => createWebhookHandler(fake.agent)).toThrow('webhookSecret');
  });

  it('SK-5 the runtime is told to wait for the handlers', async () => {
    const { handler, texts } = await start();
    const body = envelope('message.new', message('m1'));
    const request = new Request('https://bot.example/hook', { method: 'POST', body, headers: sign(body) });
    const waits: Promise<unknown>[] = [];
    await handler(request, { waitUntil: (work) => waits.push(work) });
    await Promise.all(waits);
    expect(waits).toHaveLength(1);
    expect(texts).toHaveLength(1);
  });

  it('SK-5 works behind node:http, and hides what went wrong inside', async () => {
    const { fake, handler, texts } = await start();
    const server = createServer(toNodeHandler(handler));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    const body = envelope('message.new', message('m1'));
    try {
      expect((await fetch(url)).status).toBe(405);
      expect((await fetch(url, { method: 'POST', body, headers: sign(body) })).status).toBe(200);
      await fake.agent.idle();
      expect(texts).toHaveLength(1);
      fake.handlers = { ...fake.handlers, onMessage: () => Promise.reject(new Error('hunter2')) };
      const next = envelope('message.new', message('m2'), id(2));
      const failed = await fetch(url, { method: 'POST', body: next, headers: sign(next, { deliveryId: id(2) }) });
      expect([failed.status, await failed.text()]).toEqual([500, '{"outcome":"failed"}']);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('TR-6 deliveries are forgotten after a day and an hour', async () => {
    const { fake, post } = await start();
    const hear = () => fake.serverClock.hear(fake.clock.now());
    hear();
    await post(envelope('ping', {}, id(1)), { deliveryId: id(1) });
    fake.clock.advance(26 * 3_600_000);
    hear();
    await post(envelope('ping', {}, id(2)), { deliveryId: id(2) });
    const kept = (await fake.store.list('agent/delivery/')).map(([key]) => key);
    expect(kept).toEqual([`agent/delivery/${id(2)}`]);
  });

  it('EE-25 a clock that jumps ahead, or was behind, forgets no delivery: a repeated one is not handled again', async () => {
    const { fake, post } = await start();
    const ping = (n: number) => post(envelope('ping', {}, id(n)), { deliveryId: id(n) });
    const real = fake.clock.now();
    // The server was not heard yet, so nobody knows what the time of this one is worth.
    fake.clock.advance(-40 * 24 * 3_600_000);
    await ping(1);
    fake.clock.advance(40 * 24 * 3_600_000);
    fake.serverClock.hear(real);
    await ping(2);
    fake.clock.advance(40 * 24 * 3_600_000);
    await ping(3);
    for (const n of [1, 2, 3]) expect(await ping(n)).toEqual({ status: 200, outcome: 'repeated' });
    fake.clock.advance(-39 * 24 * 3_600_000 + 2 * 3_600_000);
    fake.serverClock.hear(fake.clock.now());
    await ping(4);
    const kept = (await fake.store.list('agent/delivery/')).map(([key]) => key);
    expect(kept).toEqual([3, 4].map((n) => `agent/delivery/${id(n)}`));
  });
});

describe('SK-5 the webhook entry runs where there is only Fetch', () => {
  it('SK-5 bundled with all it imports it knows nothing of Node, and verifies', async () => {
    const entry = fileURLToPath(new URL('../src/webhook/index.ts', import.meta.url));
    const output = await build({
      configFile: false,
      logLevel: 'silent',
      // As the tests do: our packages by their sources, nothing has to be built.
      resolve: { alias: aliases },
      build: { lib: { entry, formats: ['iife'], name: 'bundle' }, write: false, minify: false, target: 'es2023' },
    });
    const [chunk] = (output as { output: { code: string; imports: string[]; moduleIds: string[] }[] }[])[0]!.output;
    expect(chunk!.imports).toEqual([]);
    expect(chunk!.moduleIds.filter((id) => /browser-external|^node:|\/ws\//.test(id))).toEqual([]);
    expect(chunk!.moduleIds.some((id) => id.includes('messenger/src/messenger.ts'))).toBe(true);

    const web = { TextEncoder, TextDecoder, Headers, Request, Response, URL, crypto, atob, btoa, setTimeout };
    const context = createContext({ ...web, secret: SECRET, headers: sign('{}'), now });
    const verdict = runInContext(
      `${chunk!.code}; [
        bundle.verifyWebhookSignature(secret, headers, '{}', { now }),
        bundle.verifyWebhookSignature(secret, headers, '{} ', { now }),
        typeof bundle.WebhookAgent.init, typeof process, typeof Buffer,
      ].join()`,
      context,
    );
    expect(verdict).toBe('true,false,function,undefined,undefined');
  });
});
