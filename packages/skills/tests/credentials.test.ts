import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import type { AuthParameter } from '@parley/documents/skill';
import {
  CREDENTIALS_VARIABLE,
  type CredentialStore,
  createSkillClient,
  openKeyring,
  type ProgressEvent,
  readEnvironment,
} from '@parley/skills';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DONE, describeSkill, drop, fail, json, serveScript, type Turn } from './misbehaving-server.ts';

const SECRET = 'k3y-/+=very"secret';
const INPUTS = { text: 'hi' };
const client = () => createSkillClient({ allowLoopback: true });
const API_KEY = { auth: { type: 'api_key', header: 'X-API-Key' }, access: 'restricted' } as const;

const environment = (map: object) => readEnvironment({ [CREDENTIALS_VARIABLE]: JSON.stringify(map) });

async function keyringPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-keyring-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, 'credentials.json');
}

describe('SI-2 an API key', () => {
  it('travels in the header that auth names, on every request of the invocation', async () => {
    const server = await serveScript({
      '/invoke': json(202, { execution_id: 'e1', status: 'accepted' }, { 'retry-after': '0' }),
      '/status/e1': json(200, { status: 'completed' }),
      '/result/e1': json(200, DONE),
    });
    const credentials = environment({ [server.origin]: { api_key: SECRET } });
    await client().invoke(describeSkill(server.origin, API_KEY), INPUTS, { credentials });
    expect(server.hits.map(({ headers }) => headers['x-api-key'])).toEqual([SECRET, SECRET, SECRET]);
    for (const { path, body } of server.hits) expect(path + body).not.toContain('k3y');
  });

  it.each(['status_url', 'result_url'] as const)('attack: a %s on another origin gets none', async (field) => {
    const other = await serveScript({
      '/status/e1': json(200, { status: 'completed' }),
      '/result/e1': json(200, DONE),
      '/cancel/e1': json(200, {}),
    });
    const server = await serveScript({
      '/invoke': json(202, { execution_id: 'e1', status: 'accepted' }, { 'retry-after': '0' }),
      '/status/e1': json(200, { status: 'completed' }),
      '/result/e1': json(200, DONE),
    });
    const own = describeSkill(server.origin, API_KEY);
    const path = field === 'status_url' ? '/status' : '/result';
    const descriptor = { ...own, endpoint: { ...own.endpoint, [field]: `${other.origin}${path}` } };
    const credentials = environment({
      [server.origin]: { api_key: SECRET },
      [other.origin]: { api_key: 'of-the-other-origin' },
    });
    await client().invoke(descriptor, INPUTS, { credentials });
    expect(other.hits).toHaveLength(1);
    expect(JSON.stringify(other.hits)).not.toMatch(/k3y|of-the-other/);
  });

  it('attack: a redirect to another origin takes none along', async () => {
    const other = await serveScript({ '/s': json(200, { status: 'completed', ...DONE }) });
    const server = await serveScript({
      '/invoke': json(202, { execution_id: 'e1', status: 'accepted' }, { 'retry-after': '0' }),
      '/status/e1': (response) => response.writeHead(302, { location: `${other.origin}/s` }).end(),
    });
    const credentials = environment({ [server.origin]: { api_key: SECRET } });
    await client().invoke(describeSkill(server.origin, API_KEY), INPUTS, { credentials });
    expect(other.hits).toHaveLength(1);
    expect(JSON.stringify(other.hits)).not.toContain('k3y');
  });

  it('that is missing, or kept for another port, is AUTH_REQUIRED before anything is sent', async () => {
    const server = await serveScript({ '/invoke': json(200, DONE) });
    const descriptor = describeSkill(server.origin, API_KEY);
    for (const credentials of [environment({}), environment({ 'http://127.0.0.1:1': { api_key: SECRET } })]) {
      await expect(client().invoke(descriptor, INPUTS, { credentials })).rejects.toMatchObject({
        code: 'AUTH_REQUIRED',
        details: { reason: 'no_credentials', origin: server.origin },
      });
    }
    await expect(client().invoke(descriptor, INPUTS)).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
    expect(server.hits).toHaveLength(0);
  });
});

describe('SI-2 custom authentication', () => {
  const CUSTOM = { auth: { type: 'custom', custom: { instructions: 'Sign.' } }, access: 'restricted' } as const;

  it('signs each request by a callback, and no other origin', async () => {
    const other = await serveScript({ '/result/e1': json(200, DONE) });
    const server = await serveScript({
      '/invoke': json(202, { execution_id: 'e1', status: 'accepted' }, { 'retry-after': '0' }),
      '/status/e1': json(200, { status: 'completed' }),
    });
    const own = describeSkill(server.origin, CUSTOM);
    const descriptor = { ...own, endpoint: { ...own.endpoint, result_url: `${other.origin}/result` } };
    await client().invoke(descriptor, INPUTS, {
      sign: ({ method, url, body }, { instructions }) => ({
        'x-signature': `${instructions} ${method} ${new URL(url).pathname} ${body?.length ?? 0}`,
      }),
    });
    expect(server.hits.map(({ headers }) => headers['x-signature'])).toEqual([
      `Sign. POST /invoke ${server.hits[0]!.body.length}`,
      'Sign. GET /status/e1 0',
    ]);
    expect(other.hits[0]!.headers['x-signature']).toBeUndefined();
  });

  it('without a callback is AUTH_REQUIRED', async () => {
    const call = client().invoke(describeSkill('http://127.0.0.1:9', CUSTOM), INPUTS);
    await expect(call).rejects.toMatchObject({ code: 'AUTH_REQUIRED' });
  });
});

describe('SD-3, SI-2 custom parameters that are a list', () => {
  const listed = (origin: string, parameters: readonly AuthParameter[]) =>
    describeSkill(origin, {
      auth: { type: 'custom', custom: { instructions: 'Send both.', parameters } },
      access: 'restricted',
    });
  const TENANT = { name: 'X-Tenant', in: 'header', required: true } as const;
  const SESSION = { name: 'session', in: 'cookie' } as const;

  it('are sent as headers and cookies, to the origin of the skill only', async () => {
    const other = await serveScript({ '/result/e1': json(200, DONE) });
    const server = await serveScript({
      '/invoke': json(202, { execution_id: 'e1', status: 'accepted' }, { 'retry-after': '0' }),
      '/status/e1': json(200, { status: 'completed' }),
    });
    const own = listed(server.origin, [TENANT, SESSION]);
    const descriptor = { ...own, endpoint: { ...own.endpoint, result_url: `${other.origin}/result` } };
    const credentials = environment({ [server.origin]: { custom: { 'X-Tenant': SECRET, session: 'a=b' } } });
    await client().invoke(descriptor, INPUTS, { credentials });
    expect(server.hits.map(({ headers }) => [headers['x-tenant'], headers.cookie])).toEqual([
      [SECRET, 'session=a=b'],
      [SECRET, 'session=a=b'],
    ]);
    expect(JSON.stringify(other.hits)).not.toMatch(/k3y|session/);
  });

  it('that are optional may be missing; a required one is AUTH_REQUIRED by its name, before anything is sent', async () => {
    const server = await serveScript({ '/invoke': json(200, DONE) });
    const descriptor = listed(server.origin, [TENANT, SESSION]);
    const credentials = environment({ [server.origin]: { custom: { session: 's' } } });
    await expect(client().invoke(descriptor, INPUTS, { credentials })).rejects.toMatchObject({
      code: 'AUTH_REQUIRED',
      details: { reason: 'no_credentials', origin: server.origin, parameters: ['X-Tenant'] },
    });
    expect(server.hits).toHaveLength(0);
    await client().invoke(listed(server.origin, [SESSION]), INPUTS);
    expect(server.hits[0]!.headers.cookie).toBeUndefined();
  });

  it('attack: a value cannot begin another cookie, and one for the address is not sent', async () => {
    const server = await serveScript({ '/invoke': json(200, DONE) });
    const key = { name: 'key', in: 'query' } as const;
    const credentials = environment({ [server.origin]: { custom: { session: 's; admin=1', key: SECRET } } });
    await client().invoke(listed(server.origin, [SESSION, key]), INPUTS, { credentials });
    expect(server.hits[0]!.headers.cookie).toBe('session=s%3B%20admin=1');
    expect(JSON.stringify(server.hits)).not.toContain('k3y');
    const required = listed(server.origin, [{ ...key, required: true }]);
    await expect(client().invoke(required, INPUTS, { credentials })).rejects.toMatchObject({
      code: 'AUTH_REQUIRED',
      details: { reason: 'credential_in_url', parameters: ['key'] },
    });
    expect(server.hits).toHaveLength(1);
  });

  it('attack: a provider that sends one back, also as the cookie it was', async () => {
    const values = { 'X-Tenant': SECRET, session: 's p;k3y' };
    const back = `${SECRET} session=s%20p%3Bk3y s p;k3y`;
    const server = await serveScript({ '/invoke': fail(403, { code: 'X', message: back }) });
    const credentials = environment({ [server.origin]: { custom: values } });
    const call = client().invoke(listed(server.origin, [TENANT, SESSION]), INPUTS, { credentials });
    const error = await call.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(inspect(error, { depth: 10 })).not.toContain('k3y');
  });

  it('a callback is given both forms, and signs in place of what is kept', async () => {
    const server = await serveScript({ '/invoke': json(200, DONE) });
    for (const parameters of [{ algorithm: 'ed25519' }, [TENANT]]) {
      const custom = { instructions: 'Sign.', parameters };
      const descriptor = describeSkill(server.origin, { auth: { type: 'custom', custom }, access: 'restricted' });
      await client().invoke(descriptor, INPUTS, {
        sign: (_, told) => ({ 'x-signature': JSON.stringify(told.parameters) }),
      });
      expect(server.hits.at(-1)!.headers['x-signature']).toBe(JSON.stringify(parameters));
    }
  });
});

describe('SI-2 attack: a provider that sends the key back', () => {
  const echo = (status: number, extra: object = {}): Turn =>
    fail(status, {
      code: SECRET,
      message: `Bad key ${SECRET}`,
      details: { violations: [{ [SECRET]: SECRET }] },
      ...extra,
    });
  const state = (status: string) => ({
    status,
    message: `with ${SECRET}`,
    execution_id: 'e1',
    error: { code: 'EXECUTION_FAILED', message: SECRET },
    retry: { suggested_delay_ms: 0 },
  });
  const scripts: [string, Record<string, Turn | Turn[]>][] = [
    ['in an error', { '/invoke': echo(400) }],
    ['in errors that are tried again', { '/invoke': [echo(503), drop, echo(429)] }],
    ['in a refusal', { '/invoke': echo(401) }],
    ['in a state', { '/invoke': json(202, state('accepted')), '/status/e1': json(200, state('failed')) }],
    ['in output that is invalid', { '/invoke': json(200, { output: { [SECRET]: SECRET } }) }],
    ['in the name of an invalid property', { '/invoke': json(200, { output: { text: { [SECRET]: 1 } } }) }],
    ['as content type', { '/invoke': (r) => void r.writeHead(200, { 'content-type': SECRET }).end(SECRET) }],
  ];

  it.each(scripts)('%s: nothing thrown or reported holds it', async (_, script) => {
    const server = await serveScript(script);
    const credentials = environment({ [server.origin]: { api_key: SECRET } });
    const events: ProgressEvent[] = [];
    const strict = { additionalProperties: false, properties: { text: { type: 'string' } } };
    const descriptor = describeSkill(server.origin, {
      ...API_KEY,
      output: { content_type: 'application/json', schema: strict },
    });
    const error: unknown = await client()
      .invoke(descriptor, INPUTS, { credentials, onProgress: (event) => events.push(event) })
      .then(
        () => undefined,
        (thrown) => thrown,
      );
    expect(error).toBeInstanceOf(Error);
    const seen =
      inspect([error, events], { depth: 50, showHidden: true, maxStringLength: null }) +
      JSON.stringify([error, events]);
    expect(seen).not.toContain('k3y-');
    expect(seen).not.toContain(encodeURIComponent(SECRET));
    expect(seen).not.toContain(Buffer.from(SECRET).toString('base64'));
  });
});

describe('SI-2 the keyring', () => {
  const ORIGIN = 'https://api.example.com';

  it('keeps credentials in a file that only its owner can read', async () => {
    const path = await keyringPath();
    const keyring = openKeyring(path);
    expect(await keyring.find(ORIGIN)).toBeUndefined();
    await keyring.set(ORIGIN, { api_key: SECRET });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await openKeyring(path).find(ORIGIN)).toEqual({ api_key: SECRET });
    expect(await keyring.find('https://api.example.com:8443')).toBeUndefined();
    await keyring.set(ORIGIN, undefined);
    expect(await keyring.origins()).toEqual([]);
  });

  it('loses nothing when much is written at once, and leaves no drafts', async () => {
    const path = await keyringPath();
    const keyring = openKeyring(path);
    const origins = Array.from({ length: 30 }, (_, n) => `https://a${n}.example`);
    await Promise.all(origins.map((origin) => keyring.set(origin, { api_key: 'x' })));
    expect((await keyring.origins()).toSorted()).toEqual(origins.toSorted());
    expect(await readdir(join(path, '..'))).toEqual(['credentials.json']);
  });

  it.each([0o644, 0o640, 0o604, 0o660])(
    'attack: a file with mode %o is refused, for reading and for writing',
    async (mode) => {
      const path = await keyringPath();
      await openKeyring(path).set(ORIGIN, { api_key: SECRET });
      await chmod(path, mode);
      const keyring = openKeyring(path);
      await expect(keyring.find(ORIGIN)).rejects.toMatchObject({ code: 'KEYRING_UNSAFE' });
      await expect(keyring.set(ORIGIN, { api_key: 'y' })).rejects.toMatchObject({ code: 'KEYRING_UNSAFE' });
      expect(await readFile(path, 'utf8')).toContain('k3y-');
    },
  );

  it('attack: a symbolic link is refused', async () => {
    const path = await keyringPath();
    await openKeyring(path).set(ORIGIN, { api_key: SECRET });
    await symlink(path, `${path}.link`);
    await expect(openKeyring(`${path}.link`).find(ORIGIN)).rejects.toMatchObject({ code: 'KEYRING_UNSAFE' });
  });

  it.each([
    ['not JSON', 'k3y-leaked'],
    ['a list', '["k3y-leaked"]'],
    ['a path instead of an origin', '{"https://a.example/k3y-leaked":{}}'],
    ['a key that breaks headers', '{"https://a.example":{"api_key":"k3y-leaked\\r\\nX: y"}}'],
    ['a key that is a number', '{"https://a.example":{"api_key":5}}'],
    ['a client without id', '{"https://a.example":{"oauth2":{"client_secret":"k3y-leaked"}}}'],
  ])('that is %s is refused, without saying what it holds', async (_, text) => {
    const path = await keyringPath();
    await writeFile(path, text, { mode: 0o600 });
    const error: unknown = await openKeyring(path)
      .find(ORIGIN)
      .catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'KEYRING_INVALID' });
    expect(inspect(error, { depth: 20 })).not.toContain('k3y-');
    expect(() => readEnvironment({ [CREDENTIALS_VARIABLE]: text })).toThrow(/PARLEY_SKILL_CREDENTIALS/);
  });

  it('is refused nonsense when written', async () => {
    const keyring: CredentialStore & ReturnType<typeof openKeyring> = openKeyring(await keyringPath());
    await expect(keyring.set('https://a.example/path', {})).rejects.toThrow(TypeError);
    await expect(keyring.set(ORIGIN, { api_key: 'a\nb' })).rejects.toThrow(TypeError);
    expect(await keyring.saveTokens(ORIGIN, { access_token: 'x' })).toBe(false);
  });
});
