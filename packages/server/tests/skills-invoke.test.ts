import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Person, signUp } from './harness/people.ts';
import { startTestServer, type TestServer } from './harness/server.ts';
import { freshNamespace, makeDescriptor } from './harness/skills.ts';

const KEY = 'sk-very-secret-0001';

let server: TestServer;
let closed: TestServer;
let folder: string;
let owner: Person;
let stranger: Person;
const sites: Server[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-invoke-'));
  server = await startTestServer({ logLevel: 'debug', logFile: join(folder, 'log') });
  closed = await startTestServer({ allowPrivateAddresses: false });
  [owner, stranger] = await Promise.all([signUp(server), signUp(server)]);
});
afterAll(async () => {
  await Promise.all([server.drop(), closed.drop()]);
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  for (const site of sites.splice(0)) {
    site.closeAllConnections();
    site.close();
  }
});

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const site = createServer(handle);
  sites.push(site);
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
}

const reply = (response: ServerResponse, status: number, body: unknown) =>
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

async function publish(changes: object, { on = server, as = owner } = {}): Promise<string> {
  const namespace = freshNamespace();
  await on.call('POST', '/skill-namespaces', { token: as.token, body: { namespace } });
  const descriptor = makeDescriptor(`${namespace}.x`, changes);
  const published = await on.call('POST', '/skills', { token: as.token, body: descriptor });
  expect(published.status).toBe(201);
  return descriptor.id;
}

const invoke = (id: string, body: object = {}, token = stranger.token) =>
  server.call('POST', `/skills/${id}/invoke`, { token, body: { inputs: { text: 'hello' }, ...body } });

describe('SI-1 trying a skill through the server', () => {
  it('SI-1 sends the inputs with the caller, and gives back the output', async () => {
    let seen: { caller: unknown; inputs: unknown } | undefined;
    const url = await serve(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      seen = JSON.parse(Buffer.concat(parts).toString());
      reply(response, 200, { output: { text: 'bonjour' } });
    });
    const id = await publish({ endpoint: { url }, auth: { type: 'none' }, access: 'public' });
    expect(await invoke(id)).toMatchObject({
      status: 200,
      body: { ok: true, output: { text: 'bonjour' }, events: [] },
    });
    expect(seen).toMatchObject({ caller: { type: 'user' }, inputs: { text: 'hello' } });
  });

  it('SI-1 an execution that takes a while is followed, and every step told', async () => {
    let asked = 0;
    const url = await serve((request, response) => {
      if (request.method === 'POST') return reply(response, 202, { execution_id: 'e1', status: 'accepted' });
      if (request.url?.startsWith('/result')) return reply(response, 200, { output: { done: true } });
      asked++;
      return reply(response, 200, { execution_id: 'e1', status: asked < 2 ? 'running' : 'completed', progress: 0.5 });
    });
    const endpoint = { url, status_url: `${url}/status/{execution_id}`, result_url: `${url}/result/{execution_id}` };
    const id = await publish({ endpoint, auth: { type: 'none' }, access: 'public' });
    const { body } = await invoke(id);
    expect(body).toMatchObject({ ok: true, output: { done: true }, execution_id: 'e1' });
    expect(body.events.map(({ status }: { status: string }) => status)).toEqual(
      expect.arrayContaining(['accepted', 'running', 'completed']),
    );
  });

  it('SI-4 a failure of the skill is told as one, and is no failure of this server', async () => {
    const url = await serve((_request, response) =>
      reply(response, 401, { error: { code: 'AUTH_REQUIRED', message: `bad key ${KEY}` } }),
    );
    const id = await publish({ endpoint: { url } });
    const without = await invoke(id);
    expect(without).toMatchObject({ status: 200, body: { ok: false, error: { code: 'AUTH_REQUIRED' } } });
    const refused = await invoke(id, { credentials: { api_key: KEY } });
    expect(refused).toMatchObject({ status: 200, body: { ok: false, error: { code: 'AUTH_REQUIRED' } } });
    expect(JSON.stringify(refused.body)).not.toContain(KEY);
    const wrong = await invoke(id, { inputs: { text: 5 } });
    expect(wrong.body).toMatchObject({ ok: false, error: { code: 'VALIDATION_ERROR' } });
  });

  it('SI-2 credentials go to the header that the skill names, and are not in any log', async () => {
    const keys: unknown[] = [];
    const url = await serve((request, response) => {
      keys.push(request.headers['x-api-key'], request.headers.authorization, request.headers['x-signed']);
      if (request.headers.cookie !== undefined) keys.push(request.headers.cookie);
      reply(response, 200, { output: {} });
    });
    const byKey = await publish({ endpoint: { url } });
    const urls = { authorization_url: 'https://a.example/authorize', token_url: 'https://a.example/token' };
    const byToken = await publish({ endpoint: { url }, auth: { type: 'oauth2', oauth2: { ...urls, scopes: {} } } });
    const custom = { instructions: 'Sign it.' };
    const bySignature = await publish({ endpoint: { url }, auth: { type: 'custom', custom } });
    const headers = { 'X-Signed': KEY, Host: 'internal' };
    expect((await invoke(byKey, { credentials: { api_key: KEY } })).body.ok).toBe(true);
    expect((await invoke(byToken, { credentials: { access_token: KEY } })).body.ok).toBe(true);
    expect((await invoke(bySignature, { credentials: { headers } })).body.ok).toBe(true);
    const parameters = [
      { name: 'X-Signed', in: 'header', required: true },
      { name: 'session', in: 'cookie' },
    ];
    const byList = await publish({ endpoint: { url }, auth: { type: 'custom', custom: { ...custom, parameters } } });
    const values = { 'X-Signed': KEY, session: KEY };
    expect((await invoke(byList, { credentials: { parameters: values } })).body.ok).toBe(true);
    const none = undefined;
    const listed = [none, none, KEY, `session=${KEY}`];
    expect(keys).toEqual([KEY, none, none, none, `Bearer ${KEY}`, none, none, none, KEY, ...listed]);
    expect(readFileSync(join(folder, 'log'), 'utf8')).not.toContain(KEY);
  });

  it('SD-8 a private skill does not exist for whoever may not see it', async () => {
    const id = await publish({ access: 'private' });
    expect(await invoke(id)).toMatchObject({ status: 404, body: { error: { code: 'SKILL_NOT_FOUND' } } });
    expect((await invoke(`${id}.never`)).status).toBe(404);
  });

  it('SI-6 server-side request forgery: a skill that points into the private network is not called', async () => {
    const person = await signUp(closed);
    const endpoint = { url: 'https://127.0.0.1:1/invoke' };
    const id = await publish({ endpoint, auth: { type: 'none' }, access: 'public' }, { on: closed, as: person });
    const { body } = await closed.call('POST', `/skills/${id}/invoke`, {
      token: person.token,
      body: { inputs: { text: 'hello' } },
    });
    expect(body).toMatchObject({ ok: false, error: { code: 'ADDRESS_BLOCKED' } });
  });
});
