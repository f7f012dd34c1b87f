import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signUp } from './harness/people.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { freshNamespace, makeDescriptor } from './harness/skills.ts';

const KEY = 'sk-very-secret-0002';

let server: TestServer;
let owner: Person;
const sites: Server[] = [];
beforeAll(async () => {
  server = await startTestServer();
  owner = await signUp(server);
});
afterAll(() => server.drop());
afterEach(() => {
  for (const site of sites.splice(0)) {
    site.closeAllConnections();
    site.close();
  }
});

const reply = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A skill whose provider answers as it is told. */
async function provide(handle: (request: IncomingMessage, response: ServerResponse) => void, changes: object = {}) {
  const site = createServer(handle);
  sites.push(site);
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const namespace = freshNamespace();
  await server.call('POST', '/skill-namespaces', { token: owner.token, body: { namespace } });
  const retry = { max_attempts: 2, backoff_ms: 1 };
  const body = makeDescriptor(`${namespace}.x`, {
    endpoint: { url: `${url}/invoke`, status_url: `${url}/status`, retry },
    ...changes,
  });
  expect((await server.call('POST', '/skills', { token: owner.token, body })).status).toBe(201);
  return body.id;
}

function gate() {
  let open!: () => void;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

/** Reads lines as they come. */
async function watch(id: string, by: Person = owner) {
  const controller = new AbortController();
  const response = await fetch(`${server.url}/skills/${id}/invoke`, {
    method: 'POST',
    headers: {
      accept: 'application/x-ndjson',
      authorization: `Bearer ${by.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ inputs: { text: 'hello' }, credentials: { api_key: KEY } }),
    signal: controller.signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  // biome-ignore lint/suspicious/noExplicitAny: the wire is what is tested
  const next = async (): Promise<any> => {
    for (;;) {
      const end = rest.indexOf('\n');
      if (end > 0) {
        const line = rest.slice(0, end);
        rest = rest.slice(end + 1);
        return JSON.parse(line);
      }
      if (end === 0) rest = rest.slice(1);
      else {
        const { done, value } = await reader.read();
        if (done) return undefined;
        rest += value;
      }
    }
  };
  const all = async () => {
    const lines = [];
    for (let line = await next(); line !== undefined; line = await next()) lines.push(line);
    return lines;
  };
  return { response, next, all, leave: () => controller.abort() };
}

describe('SI-1 a skill is tried, and watched', () => {
  it('SI-1 tells each step as it happens, before the execution has ended', async () => {
    const { open, opened } = gate();
    let asked = 0;
    const id = await provide(async (request, response) => {
      if (request.method === 'POST') return reply(response, 202, { execution_id: 'e1', status: 'accepted' });
      asked++;
      if (asked === 1)
        return reply(response, 200, { execution_id: 'e1', status: 'running', progress: 0.25, message: 'a quarter' });
      await opened;
      return reply(response, 200, { execution_id: 'e1', status: 'completed', output: { text: 'bonjour' } });
    });
    const { response, next, all } = await watch(id);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toMatch(/^application\/x-ndjson/);
    expect(await next()).toMatchObject({ event: { type: 'state', status: 'accepted' } });
    expect(await next()).toMatchObject({ event: { status: 'running', progress: 0.25, message: 'a quarter' } });
    // The provider answers only now.
    open();
    expect(await next()).toMatchObject({ event: { status: 'completed' } });
    const rest = await all();
    expect(rest).toMatchObject([{ reply: { ok: true, output: { text: 'bonjour' }, execution_id: 'e1' } }]);
    expect(rest[0].reply.events).toHaveLength(3);
  });

  it('SI-3 tells of a retry, why and when', async () => {
    let calls = 0;
    const id = await provide((_request, response) => {
      calls++;
      if (calls === 1) return reply(response, 503, { error: { code: 'x', message: 'y' } }, { 'retry-after': '0' });
      return reply(response, 200, { output: {} });
    });
    const lines = await (await watch(id)).all();
    expect(lines).toMatchObject([
      { event: { type: 'retry', attempt: 1, max_attempts: 2, delay_ms: 0, code: 'ENDPOINT_UNREACHABLE' } },
      { reply: { ok: true, output: {} } },
    ]);
  });

  it('SI-4 a failure of the skill is the last line, as the whole reply would have it', async () => {
    const id = await provide((_request, response) =>
      reply(response, 403, { error: { code: 'PERMISSION_DENIED', message: `not with ${KEY}` } }),
    );
    const lines = await (await watch(id)).all();
    expect(lines).toMatchObject([{ reply: { ok: false, error: { code: 'PERMISSION_DENIED' }, events: [] } }]);
    expect(JSON.stringify(lines)).not.toContain(KEY);
  });

  it('SI-1 whoever leaves cancels the execution, and may begin another', async () => {
    let begun = 0;
    const cancelled: string[] = [];
    const id = await provide((request, response) => {
      const url = request.url ?? '';
      if (url.startsWith('/cancel/')) cancelled.push(url);
      const execution_id = url === '/invoke' ? `e${++begun}` : url.split('/').at(-1);
      return reply(response, url === '/invoke' ? 202 : 200, { execution_id, status: 'running' });
    });
    const person = await signUp(server);
    for (let count = 1; count <= 3; count++) {
      let watched = await watch(id, person);
      // Of two at once, those before may still be on their way out.
      while (watched.response.status === 429) watched = await watch(id, person);
      expect(await watched.next()).toMatchObject({ event: { status: 'running' } });
      watched.leave();
      await expect.poll(() => cancelled).toContain(`/cancel/e${count}`);
    }
  });

  it('SI-1 hostile provider: endless changes, huge texts and numbers are bounded', async () => {
    let asked = 0;
    const id = await provide((request, response) => {
      if (request.method === 'POST') return reply(response, 202, { execution_id: 'e1', status: 'accepted' });
      asked++;
      const state = asked < 150 ? 'running' : 'completed';
      const body = `{"execution_id":"e1","status":"${state}","progress":1e300,"message":"${asked} \\u202e${KEY} ${'m'.repeat(5_000)}","output":{}}`;
      return response.writeHead(200, { 'content-type': 'application/json', 'retry-after': '0' }).end(body);
    });
    const lines = await (await watch(id)).all();
    const events = lines.slice(0, -1).map(({ event }) => event);
    for (const { message = '' } of events) {
      expect(message.length).toBeLessThanOrEqual(200);
      expect(message).not.toContain('\u202e');
    }
    expect(lines.at(-1).reply).toMatchObject({ ok: true });
    expect(lines.at(-1).reply.events).toHaveLength(100);
    expect(JSON.stringify(lines)).not.toContain(KEY);
  });

  it('TR-7 what is refused is refused as ever: no line is told', async () => {
    const { response } = await watch('org.nobody.has.it');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const stop = gate();
    const busy = await provide(async (_request, answer) => {
      await stop.opened;
      reply(answer, 200, { output: {} });
    });
    const person = await signUp(server);
    const [one, two] = [await watch(busy, person), await watch(busy, person)];
    const third = await watch(busy, person);
    expect(third.response.status).toBe(429);
    stop.open();
    for (const each of [one, two]) expect(await each.all()).toMatchObject([{ reply: { ok: true } }]);
  });
});
