import { createApiKey } from '@parley/skills/provider';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { json, serveScript } from './misbehaving-server.ts';
import { count, gate, serve } from './served.ts';

const KEYED = { auth: { type: 'api_key', header: 'X-API-Key' }, access: 'restricted' } as const;
const OAUTH2 = {
  auth: {
    type: 'oauth2',
    oauth2: {
      authorization_url: 'https://as.example/auth',
      token_url: 'https://as.example/token',
      scopes: { 'skill:invoke': 'Invoke' },
    },
  },
  access: 'restricted',
} as const;
const asKey = (key: string) => ({ 'x-api-key': key });
const NOWHERE = '00000000-0000-4000-8000-000000000000';

async function serveKeyed(change: object = {}, options: object = {}) {
  const [ada, bob] = await Promise.all([createApiKey('ada'), createApiKey('bob')]);
  const served = await serve(count, { apiKeys: [ada.entry, bob.entry], ...options }, { ...KEYED, ...change });
  return { ...served, ada: asKey(ada.key), bob: asKey(bob.key), adaKey: ada.key };
}

describe('SI-5 api_key', () => {
  it('no key, a wrong key and a key cut short are AUTH_REQUIRED, without a hint', async () => {
    const { invoke, adaKey } = await serveKeyed();
    const attempts: Record<string, string>[] = [{}, asKey('psk_wrong'), asKey(adaKey.slice(0, -1)), asKey('')];
    for (const headers of attempts) {
      const { status, body, headers: answer } = await invoke({ text: 'a' }, headers);
      expect([status, body.error.code]).toEqual([401, 'AUTH_REQUIRED']);
      expect(answer.get('www-authenticate')).toContain('X-API-Key');
      expect(JSON.stringify(body)).not.toContain(adaKey.slice(0, 10));
    }
  });

  it('a good key is let in, and the handler is told whose it is', async () => {
    const seen = gate<string>();
    const { key, entry } = await createApiKey('ada');
    const handler: typeof count = (inputs, context) => {
      seen.open(context.callerId);
      return count(inputs, context);
    };
    const { invoke, finish } = await serve(handler, { apiKeys: [entry] }, KEYED);
    const { body } = await invoke({ text: 'a' }, asKey(key));
    expect((await finish(body.execution_id, asKey(key))).body.status).toBe('completed');
    expect(await seen.promise).toBe('ada');
  });

  it('a key is kept by its hash only', async () => {
    const { key, entry } = await createApiKey('ada');
    expect(entry.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(entry)).not.toContain(key);
    await expect(serve(count, { apiKeys: [{ caller: 'ada', sha256: key }] }, KEYED)).rejects.toThrow(TypeError);
  });
});

describe('SI-5 executions belong to their caller', () => {
  it('reading another caller’s status or result is 404, as for an id that never was', async () => {
    const { invoke, get, finish, ada, bob } = await serveKeyed();
    const { execution_id: id } = (await invoke({ text: 'a' }, ada)).body;
    await finish(id, ada);
    for (const path of ['status', 'result']) {
      const [foreign, never] = [await get(`/count/${path}/${id}`, bob), await get(`/count/${path}/${NOWHERE}`, bob)];
      expect([foreign.status, foreign.body]).toEqual([never.status, never.body]);
      expect(foreign.status).toBe(404);
    }
  });

  it('cancelling someone else’s execution is 404 and cancels nothing', async () => {
    const held = gate();
    const [ada, bob] = await Promise.all([createApiKey('ada'), createApiKey('bob')]);
    const handler: typeof count = async (inputs, context) => {
      await held.promise;
      return count(inputs, context);
    };
    const { invoke, post, finish } = await serve(handler, { apiKeys: [ada.entry, bob.entry] }, KEYED);
    const { execution_id: id } = (await invoke({ text: 'a' }, asKey(ada.key))).body;
    expect((await post(`/count/cancel/${id}`, undefined, asKey(bob.key))).status).toBe(404);
    held.open();
    expect((await finish(id, asKey(ada.key))).body.status).toBe('completed');
  });

  it('another caller’s Idempotency-Key is another execution', async () => {
    const { invoke, ada, bob } = await serveKeyed();
    const key = { 'idempotency-key': 'same' };
    const first = await invoke({ text: 'a' }, { ...ada, ...key });
    const second = await invoke({ text: 'b' }, { ...bob, ...key });
    expect(second.status).toBe(202);
    expect(second.body.execution_id).not.toBe(first.body.execution_id);
  });

  it('one caller’s rate does not use up another’s', async () => {
    const { invoke, ada, bob } = await serveKeyed({}, { callsPerMinute: 1 });
    expect((await invoke({ text: 'a' }, ada)).status).toBe(202);
    expect((await invoke({ text: 'a' }, ada)).status).toBe(429);
    expect((await invoke({ text: 'a' }, bob)).status).toBe(202);
  });
});

describe('SD-8 a private skill does not exist for those who are not entitled', () => {
  const entitled = ({ id }: { id: string }) => id === 'ada';

  it('on every path: index, descriptor, invoke, status, result, cancel', async () => {
    const { get, post, invoke, bob } = await serveKeyed({ access: 'private' }, { entitled });
    for (const headers of [{}, asKey('psk_wrong'), bob]) {
      expect((await get('/.well-known/skill-sharing', headers)).body.skills).toEqual([]);
      const never = await get('/skills/com.example.never', headers);
      const answers = [
        await get('/skills/com.example.count', headers),
        await invoke({ text: 'a' }, headers),
        await get('/count/invoke', headers),
        await get(`/count/status/${NOWHERE}`, headers),
        await get(`/count/result/${NOWHERE}`, headers),
        await post(`/count/cancel/${NOWHERE}`, undefined, headers),
      ];
      for (const { status, body, headers: sent } of answers) {
        expect([status, body]).toEqual([never.status, never.body]);
        expect(sent.get('www-authenticate')).toBeNull();
      }
    }
  });

  it('the entitled see and use it; an index is also read with the key as a bearer token', async () => {
    const { get, invoke, ada, adaKey } = await serveKeyed({ access: 'private' }, { entitled });
    const bearer = { authorization: `Bearer ${adaKey}` };
    expect((await get('/.well-known/skill-sharing', bearer)).body.skills).toHaveLength(1);
    const described = await get('/skills/com.example.count', ada);
    expect([described.status, described.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect((await invoke({ text: 'a' }, ada)).status).toBe(202);
  });

  it('a restricted one is seen by all, and says PERMISSION_DENIED to the others', async () => {
    const { get, invoke, bob } = await serveKeyed({}, { entitled });
    expect((await get('/skills/com.example.count')).status).toBe(200);
    expect((await invoke({ text: 'a' }, bob)).body.error.code).toBe('PERMISSION_DENIED');
  });
});

describe('SI-5 OAuth 2.0 bearer tokens', () => {
  const issuer = 'https://as.example';
  const audience = 'https://skills.example';
  let sign: (change?: { claims?: object; issuer?: string; audience?: string; expires?: string }) => Promise<string>;
  let forge: typeof sign;
  let options: object;
  let publicKeyText: string;

  beforeAll(async () => {
    const [real, foreign] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')];
    const jwk = { ...(await exportJWK(real.publicKey)), kid: 'k', alg: 'ES256' };
    publicKeyText = JSON.stringify(jwk);
    const signer =
      (key: CryptoKey): typeof sign =>
      ({ claims = {}, issuer: by = issuer, audience: to = audience, expires = '1h' } = {}) =>
        new SignJWT({ scope: 'openid skill:invoke', ...claims })
          .setProtectedHeader({ alg: 'ES256', kid: 'k' })
          .setSubject('ada')
          .setIssuer(by)
          .setAudience(to)
          .setIssuedAt()
          .setExpirationTime(expires)
          .sign(key);
    sign = signer(real.privateKey);
    forge = signer(foreign.privateKey);
    options = { oauth2: { issuer, audience, jwks: { keys: [jwk] }, scopes: ['skill:invoke'] } };
  });

  const attempt = async (token: string) => {
    const { invoke } = await serve(count, options, OAUTH2);
    const { status, body } = await invoke({ text: 'a' }, { authorization: `Bearer ${token}` });
    return [status, body.error?.code];
  };

  it('a good token is let in', async () => {
    expect(await attempt(await sign())).toEqual([202, undefined]);
    expect(await attempt(await sign({ claims: { scope: undefined, scp: ['skill:invoke'] } }))).toEqual([
      202,
      undefined,
    ]);
  });

  it('a forged signature is refused', async () => expect(await attempt(await forge())).toEqual([401, 'AUTH_REQUIRED']));

  it('an expired token is refused', async () =>
    expect(await attempt(await sign({ expires: '-1 minute' }))).toEqual([401, 'AUTH_REQUIRED']));

  it('a token for another audience is refused', async () =>
    expect(await attempt(await sign({ audience: 'https://bank.example' }))).toEqual([401, 'AUTH_REQUIRED']));

  it('a token of another issuer is refused', async () =>
    expect(await attempt(await sign({ issuer: 'https://evil.example' }))).toEqual([401, 'AUTH_REQUIRED']));

  it('a token without the scope is PERMISSION_DENIED', async () =>
    expect(await attempt(await sign({ claims: { scope: 'openid' } }))).toEqual([403, 'PERMISSION_DENIED']));

  it('a token without a signature, and one signed with the public key as a secret, are refused', async () => {
    const claims = { iss: issuer, aud: audience, sub: 'ada', exp: 4_102_444_800, scope: 'skill:invoke' };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    expect(await attempt(`${part({ alg: 'none' })}.${part(claims)}.`)).toEqual([401, 'AUTH_REQUIRED']);
    const confused = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256', kid: 'k' })
      .sign(new TextEncoder().encode(publicKeyText));
    expect(await attempt(confused)).toEqual([401, 'AUTH_REQUIRED']);
  });

  it('the issuer’s keys are read from where it publishes them', async () => {
    const { origin } = await serveScript({ '/jwks': json(200, { keys: [JSON.parse(publicKeyText)] }) });
    const oauth2 = { issuer, audience, jwks: `${origin}/jwks`, scopes: ['skill:invoke'] };
    const { invoke } = await serve(count, { oauth2 }, OAUTH2);
    expect((await invoke({ text: 'a' }, { authorization: `Bearer ${await sign()}` })).status).toBe(202);
    expect((await invoke({ text: 'a' }, { authorization: `Bearer ${await forge()}` })).status).toBe(401);
  });

  it('keys that cannot be fetched are no fault of the caller', async () => {
    const oauth2 = { issuer, audience, jwks: 'http://127.0.0.1:9/jwks', scopes: [] };
    const { invoke } = await serve(count, { oauth2 }, OAUTH2);
    const { status, body } = await invoke({ text: 'a' }, { authorization: `Bearer ${await sign()}` });
    expect([status, body.error.code]).toEqual([503, 'ENDPOINT_UNREACHABLE']);
  });
});
