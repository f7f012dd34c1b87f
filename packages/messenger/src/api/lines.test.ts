import { skillRoutes } from '@parley/protocol';
import { until } from '@parley/testkit/until';
import { describe, expect, test, vi } from 'vitest';
import { createApi } from './create.ts';

const EVENT = { event: { type: 'state', after_ms: 1, status: 'running', progress: 0.5 } };
const REPLY = { reply: { ok: true, output: 1, events: [] } };
const line = (value: unknown) => `${JSON.stringify(value)}\n`;

/** A server that sends these parts, each when it is asked for; a promise is waited for. */
function start(parts: Iterable<string | Promise<string>>, init: ResponseInit = {}) {
  const timers = new Set<() => void>();
  const rings: (() => void)[] = [];
  const cancel = vi.fn();
  const encoder = new TextEncoder();
  const iterator = parts[Symbol.iterator]();
  const requests: Request[] = [];
  const api = createApi({
    baseUrl: 'http://server.test',
    credentials: { kind: 'agent', token: 'hsk_x' },
    platform: {
      fetch: async (input, request) => {
        const asked = new Request(input, request);
        requests.push(asked);
        const body = new ReadableStream<Uint8Array>({
          start: (controller) => asked.signal.addEventListener('abort', () => controller.error(new Error('aborted'))),
          pull: async (controller) => {
            const { done, value } = iterator.next();
            if (done) controller.close();
            else controller.enqueue(encoder.encode(await value));
          },
          cancel,
        });
        return new Response(body, { headers: { 'content-type': 'application/x-ndjson; charset=utf-8' }, ...init });
      },
      now: () => new Date(0),
      setTimer: (callback) => {
        const ring = () => callback();
        rings.push(ring);
        timers.add(ring);
        return () => timers.delete(ring);
      },
    },
  });
  const events: unknown[] = [];
  const call = (signal?: AbortSignal) =>
    api.call(skillRoutes.invokeSkill, {
      params: { skill_id: 'a.b.c' },
      body: { inputs: {} },
      onEvent: (event) => events.push(event),
      ...(signal ? { signal } : {}),
    });
  return { call, events, cancel, requests, timers, rings };
}

describe('TR-7 a reply that is told line by line', () => {
  test('TR-7 is heard as it comes, however the lines are cut, and ends with the reply', async () => {
    let tell!: (text: string) => void;
    const later = new Promise<string>((resolve) => {
      tell = resolve;
    });
    const text = line({ event: { ...EVENT.event, message: '翻译' } });
    const bytes = [...text].map((character) => character);
    const { call, events, requests } = start(['\n', ...bytes, '\n\n', later]);
    const reply = call();
    await until(() => expect(events).toEqual([{ ...EVENT.event, message: '翻译' }]));
    tell(line(EVENT) + line(REPLY));
    expect(await reply).toEqual(REPLY.reply);
    expect(events).toHaveLength(2);
    expect(requests[0]!.headers.get('accept')).toContain('application/x-ndjson');
  });

  test('TR-7 nothing is heard after the last line, and the server is told to stop', async () => {
    const { call, events, cancel } = start([line(EVENT), line(REPLY) + line(EVENT), line(EVENT)]);
    expect(await call()).toEqual(REPLY.reply);
    expect(events).toHaveLength(1);
    expect(cancel).toHaveBeenCalled();
  });

  test('TR-7 an error is the server’s own words, before and after it began', async () => {
    const error = { code: 'INTERNAL', message: 'Something broke.', i18n_key: 'k', params: {}, request_id: 'r' };
    await expect(start([line(EVENT), line({ error })]).call()).rejects.toMatchObject({ code: 'INTERNAL' });
    const headers = { 'content-type': 'application/json', 'retry-after': '1' };
    const refused = start([JSON.stringify({ error: { ...error, code: 'RATE_LIMITED' } })], { status: 429, headers });
    await expect(refused.call()).rejects.toMatchObject({ status: 429, code: 'RATE_LIMITED', retryAfterMs: 1_000 });
  });

  test.each([
    ['garbage', ['<html>\n']],
    ['values that are no objects', ['null\n']],
    ['unknown lines', [line({ other: 1 })]],
    ['an event that the contract does not have', [line({ event: { type: 'boom', after_ms: 1 } })]],
    ['a text without measure', [line({ event: { ...EVENT.event, message: 'x'.repeat(201) } })]],
    ['a number that is none', ['{"event":{"type":"state","after_ms":1,"progress":1e999}}\n']],
    ['a reply that the contract does not have', [line({ reply: { ok: 'yes' } })]],
    ['no last line', [line(EVENT)]],
    ['a last line that is cut off', [JSON.stringify(REPLY)]],
  ])('TR-7 hostile server: %s', async (_name, parts) => {
    await expect(start(parts).call()).rejects.toMatchObject({ code: 'REPLY_INVALID' });
  });

  test('TR-7 hostile server: a line without end, and events without end', async () => {
    function* repeat(text: string) {
      for (;;) yield text;
    }
    for (const text of ['x'.repeat(1024 * 1024), line(EVENT).repeat(100)]) {
      const { call, cancel } = start(repeat(text));
      await expect(call()).rejects.toMatchObject({ code: 'REPLY_INVALID' });
      expect(cancel).toHaveBeenCalled();
    }
  });

  test('TR-7 hostile server: something else than lines is not taken for them', async () => {
    const headers = { 'content-type': 'application/json' };
    await expect(start([line(REPLY)], { headers }).call()).rejects.toMatchObject({ code: 'REPLY_INVALID' });
  });

  test('TR-7 a server that falls silent is left, one that shows signs of life is not', async () => {
    const never = new Promise<string>(() => {});
    const { call, events, timers, rings } = start(['\n', line(EVENT), never]);
    const reply = call();
    await until(() => expect(events).toHaveLength(1));
    // One when it was asked, and one anew for each sign.
    expect(rings).toHaveLength(3);
    expect(timers.size).toBe(1);
    for (const ring of timers) ring();
    await expect(reply).rejects.toMatchObject({ code: 'UNREACHABLE' });
    expect(timers.size).toBe(0);
  });

  test('TR-7 whoever leaves is told so, and so is the server', async () => {
    const controller = new AbortController();
    const { call, events, requests } = start([line(EVENT), new Promise<string>(() => {})]);
    const reply = call(controller.signal);
    await until(() => expect(events).toHaveLength(1));
    controller.abort();
    await expect(reply).rejects.toMatchObject({ name: 'AbortError' });
    expect(requests[0]!.signal.aborted).toBe(true);
  });
});
