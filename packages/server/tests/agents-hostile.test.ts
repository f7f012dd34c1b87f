import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeManifest, READ_FILE } from './harness/manifests.ts';
import { createAgent, type Person, signUp } from './harness/people.ts';
import { type Reply, startTestServer, type TestServer } from './harness/server.ts';

let server: TestServer;
let owner: Person;
let stranger: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = await signUp(server);
  stranger = await signUp(server);
});
afterAll(() => server.drop());

const NOWHERE = '01906abc-0000-7000-8000-000000000000';
/** What a reply says, without what differs from request to request. */
const gist = ({ status, body }: Reply) => ({ status, error: { ...body.error, request_id: '' } });

describe('RL-2 hostile bodies', () => {
  it('CM-14 a second key of one name in the raw body is 400, and names the place', async () => {
    const agent = await createAgent(server, owner);
    const text = JSON.stringify(makeManifest()).replace('{', '{"agent_version":"0.0.1",');
    const { status, body } = await server.call('PATCH', `/agents/${agent.id}`, { token: agent.token, body: text });
    expect(status).toBe(400);
    expect(body.findings).toMatchObject([{ code: 'JSON_DUPLICATE_KEY' }]);
  });

  it('CM-14 prototype pollution: __proto__ and constructor in a manifest are data like any other', async () => {
    const agent = await createAgent(server, owner);
    const text = JSON.stringify(makeManifest()).replace(
      '"agent_version"',
      '"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"agent_version"',
    );
    const { status, body } = await server.call('PATCH', `/agents/${agent.id}`, { token: agent.token, body: text });
    expect(status).toBe(200);
    expect(body.warnings.map((warning: { path: string }) => warning.path).sort()).toEqual([
      '/__proto__',
      '/constructor',
    ]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    const read = await server.call('GET', `/agents/${agent.id}`);
    expect(Object.hasOwn(read.body.capability_manifest, '__proto__')).toBe(true);
    expect(read.body.capability_manifest_hash).toBe(body.capability_manifest_hash);
  });

  it('RL-2 prototype pollution: __proto__ beside the fields is an unknown field', async () => {
    const agent = await createAgent(server, owner);
    const body = '{"name":"New","__proto__":{"visibility":"private","role":"admin"}}';
    expect((await server.call('PATCH', `/agents/${agent.id}`, { token: owner.token, body })).status).toBe(400);
    expect((await server.call('GET', `/agents/${agent.id}`)).body).toMatchObject({ name: 'DemoBot' });
  });

  it('TR-8 a body of 10 MB is 413', async () => {
    const agent = await createAgent(server, owner);
    const body = JSON.stringify({ ...makeManifest(), 'x-flood': 'n'.repeat(10_000_000) });
    const reply = await server.call('PATCH', `/agents/${agent.id}`, { token: owner.token, body });
    expect(reply).toMatchObject({ status: 413, body: { error: { code: 'PAYLOAD_TOO_LARGE' } } });
    const made = await server.call('POST', '/agents', { token: owner.token, body });
    expect(made.status).toBe(413);
  });

  it('RL-2 a NUL character, which the database cannot hold, is 400 wherever it stands', async () => {
    const agent = await createAgent(server, owner);
    const patch = (body: object) => server.call('PATCH', `/agents/${agent.id}`, { token: owner.token, body });
    expect((await patch({ name: 'a\u0000b' })).status).toBe(400);
    expect((await patch({ description: 'a\u0000b' })).status).toBe(400);
    expect((await patch({ ...makeManifest(), 'x-note': 'a\u0000b' })).status).toBe(400);
    expect((await patch({ ...makeManifest(), 'x-note': { 'a\u0000b': 1 } })).status).toBe(400);
    expect((await patch({ ...makeManifest(), 'x-note': '\\u0000' })).status).toBe(200);
    for (const field of ['tool', 'scope', 'flag', 'q', 'cursor']) {
      const { status } = await server.call('GET', `/agents?${field}=%00`);
      expect([200, 400]).toContain(status);
    }
  });

  it('RL-4 a witness with a NUL character is answered, under an Idempotency-Key too', async () => {
    const withPattern = (pattern: string) =>
      makeManifest({
        tools: [
          {
            ...READ_FILE,
            input_schema: {
              type: 'object',
              properties: { path: { type: 'string', pattern } },
              required: ['path'],
              additionalProperties: false,
            },
          },
        ],
      });
    const agent = await createAgent(server, owner, { capability_manifest: withPattern('^\\x00+$') });
    const patch = () =>
      server.call('PATCH', `/agents/${agent.id}`, {
        token: owner.token,
        body: withPattern('^b$'),
        headers: { 'idempotency-key': 'nul' },
      });
    const first = await patch();
    expect(first.status).toBe(200);
    expect(first.body.breaking_changes).toHaveLength(1);
    expect((await patch()).body).toEqual(first.body);
  });

  it('RL-1 a name that hides or reverses text is refused', async () => {
    for (const name of ['', '   ', 'Pay\u202elaP', 'a\u200bb', 'two\nlines', 'x'.repeat(65), 7, null]) {
      const { status } = await server.call('POST', '/agents', { token: owner.token, body: { name } });
      expect(status).toBe(400);
    }
  });

  it('CM-7 a manifest nested too deep is refused, not followed', async () => {
    const agent = await createAgent(server, owner);
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const body = JSON.stringify(makeManifest()).replace('"agent_version"', `"x-deep":${deep},"agent_version"`);
    expect((await server.call('PATCH', `/agents/${agent.id}`, { token: owner.token, body })).status).toBe(400);
  });
});

describe('RL-5 hostile queries', () => {
  const INJECTIONS = [
    "' or 1=1 --",
    "'; drop table agents; --",
    "a' & !b | (c",
    '\\',
    '%_',
    "{a,b}','{}'::text[]) or true --",
    '$1',
    '__proto__',
  ];

  it('RL-5 SQL in q, tool, scope, flag and name finds nothing and breaks nothing', async () => {
    const victim = await createAgent(server, owner, { name: "Robert'); drop table agents;--" });
    for (const text of INJECTIONS) {
      for (const field of ['q', 'tool', 'scope', 'flag']) {
        const { status, body } = await server.call('GET', `/agents?${new URLSearchParams({ [field]: text })}`);
        expect(status).toBe(200);
        expect(field === 'q' ? [] : body.agents).toEqual([]);
      }
    }
    const { body } = await server.call('GET', '/agents?q=robert');
    expect(body.agents).toMatchObject([{ agent_id: victim.id, name: "Robert'); drop table agents;--" }]);
  });

  it('RL-5 a cursor of one’s own making is 400', async () => {
    const forged = ['x', 'AAAA', '0 0', "0 ' or 1=1", 'NaN x', `Infinity ${NOWHERE}`, `0 ${NOWHERE} 1`];
    for (const text of forged) {
      const cursor = Buffer.from(text).toString('base64url');
      expect((await server.call('GET', `/agents?cursor=${cursor}`)).status).toBe(400);
    }
    for (const query of ['limit=0', 'limit=101', 'limit=-1', 'limit=1e2', 'q=a&q=b', 'max_sensitivity=none', 'x=1']) {
      expect((await server.call('GET', `/agents?${query}`)).status).toBe(400);
    }
  });
});

describe('TR-8 tokens and other people’s agents', () => {
  it('RL-1 guessing tokens: every wrong one gets the same 401', async () => {
    const { id, token } = await createAgent(server, owner);
    const flipped = token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a');
    const guesses = [flipped, token.toLowerCase(), `${token}a`, token.slice(0, -1), 'hsk_', `hsk_${'0'.repeat(40)}`];
    const replies = await Promise.all(
      guesses.map((guess) => server.call('PATCH', `/agents/${id}`, { token: guess, body: makeManifest() })),
    );
    expect(replies.map(gist)).toEqual(guesses.map(() => gist(replies[0]!)));
    expect(replies[0]).toMatchObject({ status: 401, body: { error: { code: 'UNAUTHENTICATED', params: {} } } });
    expect(JSON.stringify(replies)).not.toContain(token.slice(4, -2));
  });

  it('TR-8 another owner’s agent: nothing of it can be changed or listed', async () => {
    const agent = await createAgent(server, owner);
    const other = await createAgent(server, stranger);
    const tokens = await server.call('GET', `/agents/${agent.id}/tokens`, { token: owner.token });
    const tokenId = tokens.body.tokens[0].token_id;
    const attempts: [string, string, object?][] = [
      ['PATCH', '', makeManifest()],
      ['PATCH', '', { name: 'Mine now' }],
      ['DELETE', ''],
      ['POST', '/suspend'],
      ['POST', '/resume'],
      ['POST', '/tokens', {}],
      ['GET', '/tokens'],
      ['DELETE', `/tokens/${tokenId}`],
    ];
    for (const [method, path, body] of attempts) {
      for (const token of [stranger.token, other.token]) {
        const reply = await server.call(method, `/agents/${agent.id}${path}`, body ? { token, body } : { token });
        expect(`${method} ${path} ${reply.status}`).toBe(`${method} ${path} 403`);
      }
    }
    // Naming one's own agent with another's token id does not reach it either.
    const crossed = await server.call('DELETE', `/agents/${other.id}/tokens/${tokenId}`, { token: stranger.token });
    expect(crossed.status).toBe(404);
    expect((await server.call('GET', `/agents/${agent.id}`, { token: agent.token })).status).toBe(200);
  });

  it('RL-5 a private agent is to strangers as if it had never existed, on every path', async () => {
    const agent = await createAgent(server, owner, {
      name: 'Xylophone',
      visibility: 'private',
      capability_manifest: makeManifest(),
    });
    await server.call('PATCH', `/agents/${agent.id}`, { token: owner.token, body: makeManifest() });
    const other = await createAgent(server, stranger);
    const paths = ['', '/manifests', '/manifests/1', '/manifests/99', '/diff', '/diff?from=1&to=2', '/tokens'];
    for (const token of [undefined, stranger.token, other.token]) {
      for (const path of paths) {
        const options = token === undefined ? {} : { token };
        const real = await server.call('GET', `/agents/${agent.id}${path}`, options);
        const never = await server.call('GET', `/agents/${NOWHERE}${path}`, options);
        expect(gist(real)).toEqual(gist(never));
        expect(real.status).toBe(token === undefined && path === '/tokens' ? 401 : 404);
      }
      const write = await server.call('PATCH', `/agents/${agent.id}`, {
        ...(token ? { token } : {}),
        body: { name: 'X' },
      });
      expect(write.status).toBe(token === undefined ? 401 : 404);
    }
    for (const query of ['q=xylophone', 'tool=read_file', 'scope=filesystem:read', 'max_sensitivity=high']) {
      const { body } = await server.call('GET', `/agents?${query}`, { token: stranger.token });
      expect(JSON.stringify(body)).not.toContain(agent.id);
    }
  });
});
