import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { SkillDescriptor } from '@parley/documents/skill';
import {
  CREDENTIALS_VARIABLE,
  type CredentialStore,
  createSkillClient,
  type OAuth2Client,
  openKeyring,
  readEnvironment,
} from '@parley/skills';
import { describe, expect, it, onTestFinished } from 'vitest';
import { receiveRedirect } from '../src/oauth2/loopback.ts';
import { type AuthorizationServer, browse, startAuthorizationServer } from './authorization-server.ts';
import { DONE, describeSkill, fail, json, type ScriptedServer, serveScript, type Turn } from './misbehaving-server.ts';

const SECRET = 's3cret/+&of the robot';
const INPUTS = { text: 'hi' };
const client = () => createSkillClient({ allowLoopback: true });

interface Stage {
  readonly authorization: AuthorizationServer;
  readonly server: ScriptedServer;
  readonly descriptor: SkillDescriptor;
}

/** A skill on one origin, its authorization server on another. */
async function setUp(): Promise<Stage> {
  const authorization = await startAuthorizationServer();
  const guard: Turn = (response, hit) => {
    const [, token = ''] = /^Bearer (.+)$/.exec(hit.headers.authorization ?? '') ?? [];
    void authorization.accepts(token).then((good) => (good ? json(200, DONE) : fail(401))(response, hit));
  };
  const server = await serveScript({ '/invoke': guard });
  const oauth2 = {
    authorization_url: authorization.authorizationUrl,
    token_url: authorization.tokenUrl,
    scopes: { 'skill:invoke': 'Invoke it' },
  };
  const descriptor = describeSkill(server.origin, { auth: { type: 'oauth2', oauth2 }, access: 'restricted' });
  return { authorization, server, descriptor };
}

const environment = (origin: string, oauth2: OAuth2Client): CredentialStore =>
  readEnvironment({ [CREDENTIALS_VARIABLE]: JSON.stringify({ [origin]: { oauth2 } }) });

const robot = ({ server, authorization }: Stage, changes: Partial<OAuth2Client> = {}) =>
  environment(server.origin, {
    client_id: 'robot',
    client_secret: SECRET,
    grant: 'client_credentials',
    token_url: authorization.tokenUrl,
    ...changes,
  });

describe('SI-2 OAuth 2.0, client credentials', () => {
  it('fetches a token once, uses it again, and sends the secret in a header', async () => {
    const stage = await setUp();
    const credentials = robot(stage);
    const one = client();
    await Promise.all([1, 2, 3].map(() => one.invoke(stage.descriptor, INPUTS, { credentials })));
    await one.invoke(stage.descriptor, INPUTS, { credentials });
    expect(stage.authorization.tokenRequests).toHaveLength(1);
    const [{ form, authorization }] = stage.authorization.tokenRequests as [
      (typeof stage.authorization.tokenRequests)[0],
    ];
    expect([form.get('grant_type'), form.get('scope'), form.get('client_secret')]).toEqual([
      'client_credentials',
      'skill:invoke',
      null,
    ]);
    expect(authorization).toMatch(/^Basic /);
    expect(new Set(stage.server.hits.map(({ headers }) => headers.authorization)).size).toBe(1);
  });

  it('a token that was revoked is replaced once, and the call goes on with its key', async () => {
    const stage = await setUp();
    const credentials = robot(stage);
    await client().invoke(stage.descriptor, INPUTS, { credentials });
    const { tokens } = (await credentials.find(stage.server.origin))!.oauth2!;
    await stage.authorization.revoke(tokens!.access_token);
    expect((await client().invoke(stage.descriptor, INPUTS, { credentials })).output).toEqual({ text: 'hi' });
    expect(stage.authorization.tokenRequests).toHaveLength(2);
    const keys = stage.server.hits.slice(1).map(({ headers }) => headers['idempotency-key']);
    expect([keys.length, new Set(keys).size]).toEqual([2, 1]);
  });

  it('a caller that leaves does not take the token from those who wait for the same one', async () => {
    const stage = await setUp();
    const credentials = robot(stage);
    const one = client();
    const controller = new AbortController();
    const leaving = one.invoke(stage.descriptor, INPUTS, { credentials, signal: controller.signal });
    const staying = one.invoke(stage.descriptor, INPUTS, { credentials });
    controller.abort();
    await expect(leaving).rejects.toMatchObject({ code: 'EXECUTION_CANCELLED' });
    expect((await staying).output).toEqual({ text: 'hi' });
  });

  it('a wrong secret is AUTH_REQUIRED, with the reason and without the secret', async () => {
    const stage = await setUp();
    const credentials = robot(stage, { client_secret: 'wr0ng-secret' });
    const error: unknown = await client()
      .invoke(stage.descriptor, INPUTS, { credentials })
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'AUTH_REQUIRED', details: { reason: 'invalid_client' } });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('wr0ng');
    expect(stage.server.hits).toHaveLength(0);
  });

  it('attack: a descriptor that names another token address gets no secret', async () => {
    const stage = await setUp();
    const thief = await serveScript({ '/token': json(200, { access_token: 'x', token_type: 'Bearer' }) });
    const { oauth2 } = stage.descriptor.auth;
    const descriptor = {
      ...stage.descriptor,
      auth: { type: 'oauth2', oauth2: { ...oauth2!, token_url: `${thief.origin}/token` } } as const,
    };
    const { token_url: _, ...unpinned } = (await robot(stage).find(stage.server.origin))!.oauth2!;
    for (const credentials of [robot(stage), environment(stage.server.origin, unpinned)]) {
      await expect(client().invoke(descriptor, INPUTS, { credentials })).rejects.toMatchObject({
        code: 'AUTH_REQUIRED',
        details: { reason: 'token_url_not_trusted' },
      });
    }
    expect(thief.hits).toHaveLength(0);
  });

  it('attack: a skill on another origin gets no token of this one', async () => {
    const stage = await setUp();
    const thief = await serveScript({ '/invoke': json(200, DONE) });
    const credentials = robot(stage);
    await client().invoke(stage.descriptor, INPUTS, { credentials });
    const descriptor = { ...stage.descriptor, endpoint: { url: `${thief.origin}/invoke` } };
    await expect(client().invoke(descriptor, INPUTS, { credentials })).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
    expect(thief.hits).toHaveLength(0);
  });

  it('attack: through one shared client, a caller whose token runs out does not get that of another', async () => {
    const issue: Turn = (response, hit) => {
      const [, basic = ''] = /^Basic (.+)$/.exec(hit.headers.authorization ?? '') ?? [];
      const [id] = Buffer.from(basic, 'base64').toString().split(':');
      json(200, { access_token: `token-of-${id}`, token_type: 'Bearer', expires_in: 3_600 })(response, hit);
    };
    const server = await serveScript({ '/invoke': json(200, DONE), '/token': issue });
    const { origin } = server;
    const oauth2 = { authorization_url: `${origin}/auth`, token_url: `${origin}/token`, scopes: { use: 'Use it' } };
    const descriptor = describeSkill(origin, { auth: { type: 'oauth2', oauth2 }, access: 'restricted' });
    const of = (client_id: string): OAuth2Client => ({ client_id, client_secret: SECRET, grant: 'client_credentials' });
    // One store of a whole server, which answers for whoever is calling.
    const callers = ['carol', 'dave'];
    const byTurns: CredentialStore = {
      find: async () => ({ oauth2: of(callers.shift()!) }),
      saveTokens: async () => false,
    };
    const shared = client();
    const credentials = [environment(origin, of('alice')), environment(origin, of('bob')), byTurns, byTurns];
    await Promise.all(credentials.map((store) => shared.invoke(descriptor, INPUTS, { credentials: store })));
    const sent = server.hits.filter(({ path }) => path === '/invoke').map(({ headers }) => headers.authorization);
    expect(sent.sort()).toEqual(['alice', 'bob', 'carol', 'dave'].map((id) => `Bearer token-of-${id}`));
  });
});

describe('SI-2 OAuth 2.0, authorization code with PKCE', () => {
  async function native(stage: Stage) {
    const folder = await mkdtemp(join(tmpdir(), 'parley-oauth2-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, 'keyring.json');
    const keyring = openKeyring(path);
    await keyring.set(stage.server.origin, {
      oauth2: { client_id: 'native', token_url: stage.authorization.tokenUrl, scopes: ['skill:invoke'] },
    });
    return { keyring, path };
  }

  it('a person allows it; the tokens are in the keyring, and invocations use them', async () => {
    const stage = await setUp();
    const { keyring, path } = await native(stage);
    await expect(client().invoke(stage.descriptor, INPUTS, { credentials: keyring })).rejects.toMatchObject({
      code: 'AUTH_REQUIRED',
      details: { reason: 'authorization_needed' },
    });
    const opened: string[] = [];
    await client().authorise(stage.descriptor, {
      credentials: keyring,
      open: (url) => {
        opened.push(url);
        void browse(url);
      },
    });
    const asked = new URL(opened[0]!).searchParams;
    expect([asked.get('code_challenge_method'), asked.get('response_type')]).toEqual(['S256', 'code']);
    expect(asked.get('state')!.length).toBeGreaterThan(30);
    const [request] = stage.authorization.tokenRequests;
    expect(request!.form.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const { output } = await client().invoke(stage.descriptor, INPUTS, { credentials: openKeyring(path) });
    expect(output).toEqual({ text: 'hi' });
  });

  it('an access token that has ended is renewed with the refresh token, and the new one is kept', async () => {
    const stage = await setUp();
    const { keyring, path } = await native(stage);
    await client().authorise(stage.descriptor, { credentials: keyring, open: (url) => void browse(url) });
    const { tokens } = (await keyring.find(stage.server.origin))!.oauth2!;
    await keyring.saveTokens(stage.server.origin, { ...tokens!, expires_at: Date.now() - 1 });
    await client().invoke(stage.descriptor, INPUTS, { credentials: keyring });
    const renewed = (await keyring.find(stage.server.origin))!.oauth2!.tokens!;
    expect(stage.authorization.tokenRequests.at(-1)!.form.get('grant_type')).toBe('refresh_token');
    expect(renewed.access_token).not.toBe(tokens!.access_token);
    expect(renewed.refresh_token).not.toBe(tokens!.refresh_token);
    expect(await readFile(path, 'utf8')).toContain(renewed.access_token);
    // The server takes a used refresh token for a theft: then a person is needed again, and nothing stale is kept.
    await keyring.saveTokens(stage.server.origin, { ...tokens!, expires_at: 0 });
    await expect(client().invoke(stage.descriptor, INPUTS, { credentials: keyring })).rejects.toMatchObject({
      code: 'AUTH_REQUIRED',
    });
    expect((await keyring.find(stage.server.origin))!.oauth2).not.toHaveProperty('tokens');
  });

  it('a person who refuses is heard', async () => {
    const stage = await setUp();
    stage.authorization.answer = 'deny';
    const { keyring } = await native(stage);
    const call = client().authorise(stage.descriptor, { credentials: keyring, open: (url) => void browse(url) });
    await expect(call).rejects.toMatchObject({ code: 'AUTH_REQUIRED', details: { reason: 'access_denied' } });
  });

  it('attack: an address that is none does not bring the receiver down', async () => {
    const receiver = await receiveRedirect('the-state');
    onTestFinished(() => receiver.close());
    const { port } = new URL(receiver.redirectUri);
    for (const path of ['//', 'http://[', '//a:b@c:99999/callback']) {
      const [answer] = await once(
        connect(Number(port), '127.0.0.1').end(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`),
        'data',
      );
      expect(String(answer)).toMatch(/^HTTP\/1\.1 404/);
    }
    expect((await fetch(`${receiver.redirectUri}?code=good&state=the-state`)).status).toBe(200);
    expect((await receiver.redirect).get('code')).toBe('good');
  });

  it('attack: a redirect with two codes is refused, and nothing of it is passed on', async () => {
    const stage = await setUp();
    const { keyring } = await native(stage);
    const open = async (url: string) => {
      const { searchParams } = new URL(url);
      const [redirect, state] = [searchParams.get('redirect_uri')!, searchParams.get('state')!];
      await fetch(`${redirect}?code=one&code=two&state=${state}`);
    };
    const call = client().authorise(stage.descriptor, { credentials: keyring, open });
    await expect(call).rejects.toMatchObject({ code: 'AUTH_REQUIRED', details: { reason: 'no_code' } });
    expect(stage.authorization.tokenRequests).toHaveLength(0);
  });

  it('attack: a redirect with another state, a state twice or another path is not taken', async () => {
    const stage = await setUp();
    const { keyring } = await native(stage);
    const controller = new AbortController();
    const statuses: number[] = [];
    const open = async (url: string) => {
      const { searchParams } = new URL(url);
      const [redirect, state] = [searchParams.get('redirect_uri')!, searchParams.get('state')!];
      const visits = [
        `${redirect}?code=stolen&state=guess`,
        `${redirect}?code=stolen`,
        `${redirect}?code=stolen&state=guess&state=${state}`,
        `${new URL(redirect).origin}/other?code=stolen&state=${state}`,
      ];
      for (const visit of visits) statuses.push((await fetch(visit)).status);
      statuses.push((await fetch(`${redirect}?code=stolen&state=${state}`, { method: 'POST' })).status);
      controller.abort();
    };
    const call = client().authorise(stage.descriptor, { credentials: keyring, open, signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: 'EXECUTION_CANCELLED' });
    expect(statuses).toEqual([404, 404, 404, 404, 404]);
    expect(stage.authorization.tokenRequests).toHaveLength(0);
  });
});

describe('SI-2 answers of a token endpoint', () => {
  it('members that are null are absent, and an ID token that nobody asked for is ignored', async () => {
    const answer = {
      access_token: 'good',
      token_type: 'BEARER',
      expires_in: '60',
      refresh_token: null,
      scope: null,
      id_token: 'not even a JWT',
    };
    const server = await serveScript({ '/token': json(200, answer), '/invoke': json(200, DONE) });
    const oauth2 = { authorization_url: `${server.origin}/auth`, token_url: `${server.origin}/token`, scopes: {} };
    const descriptor = describeSkill(server.origin, { auth: { type: 'oauth2', oauth2 }, access: 'restricted' });
    const own: OAuth2Client = { client_id: '1-a.b_c', client_secret: SECRET, grant: 'client_credentials' };
    const credentials = environment(server.origin, own);
    expect((await client().invoke(descriptor, INPUTS, { credentials })).output).toEqual({ text: 'hi' });
    const { tokens } = (await credentials.find(server.origin))!.oauth2!;
    expect(tokens).toEqual({ access_token: 'good', expires_at: expect.any(Number) });
    const [, basic = ''] = server.hits[0]!.headers.authorization!.split(' ');
    expect(Buffer.from(basic, 'base64').toString()).toMatch(/^1-a\.b_c:s3cret%2F%2B%26of\+the\+robot$/);
  });

  it.each<[string, Turn, string]>([
    ['no token', json(200, {}), 'invalid_token_response'],
    [
      'a token that breaks headers',
      json(200, { access_token: 'a\r\nb', token_type: 'Bearer' }),
      'invalid_token_response',
    ],
    ['a token bound to a key', json(200, { access_token: 'a', token_type: 'DPoP' }), 'not_a_bearer_token'],
    ['an answer without a body', (r) => void r.writeHead(204).end(), 'token_request_failed'],
    ['another kind of token', json(200, { access_token: 'a', token_type: 'mac' }), 'not_a_bearer_token'],
    ['the secret sent back', json(400, { error: SECRET, error_description: SECRET }), 'token_request_failed'],
    ['a page', (r) => void r.writeHead(500, { 'content-type': 'text/html' }).end('<p>'), 'token_request_failed'],
  ])('%s is AUTH_REQUIRED', async (_, turn, reason) => {
    const server = await serveScript({ '/token': turn, '/invoke': json(200, DONE) });
    const oauth2 = { authorization_url: `${server.origin}/auth`, token_url: `${server.origin}/token`, scopes: {} };
    const descriptor = describeSkill(server.origin, { auth: { type: 'oauth2', oauth2 }, access: 'restricted' });
    const own: OAuth2Client = { client_id: 'a', client_secret: SECRET, grant: 'client_credentials' };
    const error: unknown = await client()
      .invoke(descriptor, INPUTS, { credentials: environment(server.origin, own) })
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'AUTH_REQUIRED', details: { reason } });
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain('s3cret');
  });
});
