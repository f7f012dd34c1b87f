import { hashManifest } from '@parley/documents';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FILES, makeManifest, NETWORK, READ_FILE } from './harness/manifests.ts';
import { createAgent, type Person, signUp } from './harness/people.ts';
import { startTestServer, type TestServer } from './harness/server.ts';

let server: TestServer;
let owner: Person;
let stranger: Person;
beforeAll(async () => {
  server = await startTestServer();
  owner = await signUp(server, 'Olive');
  stranger = await signUp(server);
});
afterAll(() => server.drop());

const patch = (agentId: string, token: string, body: unknown, headers: Record<string, string> = {}) =>
  server.call('PATCH', `/agents/${agentId}`, { token, body, headers });
const NOWHERE = '01906abc-0000-7000-8000-000000000000';

describe('RL-1 creating an agent', () => {
  it('RL-1 answers 201 with the token, shown this once and stored as a hash', async () => {
    const { status, body } = await server.call('POST', '/agents', { token: owner.token, body: { name: 'DemoBot' } });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'DemoBot',
      capability_manifest_version: 0,
      capability_manifest_hash: null,
      warnings: [],
    });
    expect(body.token).toMatch(/^hsk_[0-9A-Za-z]{40}$/);
    const { pool } = server.platform.storage;
    const { rows } = await pool.query('select * from agent_tokens where agent_id = $1', [body.agent_id]);
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(body.token.slice(4));
    const read = await server.call('GET', `/agents/${body.agent_id}`, { token: owner.token });
    expect(JSON.stringify(read.body)).not.toContain('hsk_');
  });

  it('RL-1 with a manifest begins at version 1 with its hash', async () => {
    const manifest = makeManifest();
    const { body } = await server.call('POST', '/agents', {
      token: owner.token,
      body: { name: 'DemoBot', capability_manifest: manifest },
    });
    expect(body).toMatchObject({ capability_manifest_version: 1, capability_manifest_hash: hashManifest(manifest) });
  });

  it('RL-1 the new token works at once; only people create agents', async () => {
    const agent = await createAgent(server, owner);
    const read = await server.call('GET', `/agents/${agent.id}`, { token: agent.token });
    expect(read).toMatchObject({ status: 200, body: { agent_id: agent.id } });
    const made = await server.call('POST', '/agents', { token: agent.token, body: { name: 'Child' } });
    expect(made).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } });
    expect(await server.call('POST', '/agents', { body: { name: 'Nobody' } })).toMatchObject({ status: 401 });
  });

  it('RL-1 a manifest with errors creates nothing', async () => {
    const before = await server.call('GET', '/agents?mine=true&limit=100', { token: stranger.token });
    const { status, body } = await server.call('POST', '/agents', {
      token: stranger.token,
      body: { name: 'Broken', capability_manifest: makeManifest({ agent_version: 'one' }) },
    });
    expect(status).toBe(422);
    expect(body.error.code).toBe('MANIFEST_INVALID');
    const after = await server.call('GET', '/agents?mine=true&limit=100', { token: stranger.token });
    expect(after.body.agents).toEqual(before.body.agents);
  });
});

describe('RL-2 who may PATCH, and what', () => {
  it("RL-2 takes a bare manifest from the agent's own token", async () => {
    const agent = await createAgent(server, owner);
    expect(await patch(agent.id, agent.token, makeManifest())).toMatchObject({
      status: 200,
      body: { capability_manifest_version: 1 },
    });
  });

  it("RL-2 takes a manifest among other fields from the owner's JWT", async () => {
    const agent = await createAgent(server, owner);
    const fields = { capability_manifest: makeManifest(), name: 'Renamed', description: 'Does more.' };
    expect((await patch(agent.id, owner.token, fields)).body.capability_manifest_version).toBe(1);
    const { body } = await server.call('GET', `/agents/${agent.id}`);
    expect(body).toMatchObject({ name: 'Renamed', description: 'Does more.', capability_manifest: makeManifest() });
  });

  it('RL-2 other fields alone leave the version as it is', async () => {
    const agent = await createAgent(server, owner, { capability_manifest: makeManifest() });
    const { body } = await patch(agent.id, owner.token, { visibility: 'private' });
    expect(body).toMatchObject({ capability_manifest_version: 1, breaking_changes: [], changes: [] });
    expect(await server.call('GET', `/agents/${agent.id}`)).toMatchObject({ status: 404 });
  });

  it('RL-2 anyone else gets 403, another agent too', async () => {
    const agent = await createAgent(server, owner);
    const other = await createAgent(server, stranger);
    expect((await patch(agent.id, stranger.token, makeManifest())).status).toBe(403);
    expect((await patch(agent.id, other.token, makeManifest())).status).toBe(403);
    expect((await server.call('PATCH', `/agents/${agent.id}`, { body: makeManifest() })).status).toBe(401);
  });

  it('RL-2 an unknown agent is 404, however its id looks; so is a deleted one', async () => {
    expect((await patch(NOWHERE, owner.token, makeManifest())).status).toBe(404);
    expect((await patch('DemoBot', owner.token, makeManifest())).status).toBe(404);
    const agent = await createAgent(server, owner);
    await server.call('DELETE', `/agents/${agent.id}`, { token: owner.token });
    expect((await patch(agent.id, owner.token, makeManifest())).status).toBe(404);
    expect((await patch(agent.id, agent.token, makeManifest())).status).toBe(401);
  });

  it('RL-2 an unknown field is refused, not ignored', async () => {
    const agent = await createAgent(server, owner);
    expect((await patch(agent.id, owner.token, { nmae: 'Typo' })).status).toBe(400);
    expect((await patch(agent.id, owner.token, { capability_manifest: makeManifest(), owner_id: 'me' })).status).toBe(
      400,
    );
    expect((await patch(agent.id, owner.token, {})).status).toBe(400);
  });

  it('CM-15 a manifest with errors is 422 with every finding beside the error, in the reader’s language', async () => {
    const agent = await createAgent(server, owner);
    const manifest = makeManifest({ agent_version: 'one', permission_scopes: [] });
    const { status, body } = await patch(agent.id, owner.token, manifest, { 'accept-language': 'zh-CN' });
    expect(status).toBe(422);
    expect(body.error).toMatchObject({ code: 'MANIFEST_INVALID', params: { error_count: 2 } });
    expect(body.findings.map((finding: { path: string }) => finding.path)).toEqual([
      '/agent_version',
      '/tools/0/permission_scope',
    ]);
    expect(body.findings[0].message).toMatch(/\p{Script=Han}/u);
    const partial = await patch(agent.id, owner.token, { tools: [] });
    expect(partial.body.error.code).toBe('MANIFEST_INVALID');
  });

  it('CM-2 another schema_version has a code of its own', async () => {
    const agent = await createAgent(server, owner);
    const { status, body } = await patch(agent.id, owner.token, { ...makeManifest(), schema_version: '2.0' });
    expect(status).toBe(422);
    expect(body.error).toMatchObject({ code: 'MANIFEST_SCHEMA_VERSION_UNSUPPORTED', params: { supported: '1.0' } });
  });

  it('CM-13 over 128 KB is 413, from 64 KB on a warning that the owner finds on the agent’s page', async () => {
    const agent = await createAgent(server, owner);
    const large = (bytes: number) => ({ ...makeManifest(), 'x-notes': 'n'.repeat(bytes) });
    const refused = await patch(agent.id, owner.token, large(131_072));
    expect(refused.status).toBe(413);
    expect(refused.body.error).toMatchObject({ code: 'MANIFEST_TOO_LARGE', params: { limit: 131_072 } });
    const accepted = await patch(agent.id, owner.token, large(70_000));
    expect(accepted.body.warnings).toMatchObject([{ code: 'MANIFEST_LARGE', severity: 'warning' }]);
    const page = await server.call('GET', `/agents/${agent.id}`, {
      token: owner.token,
      headers: { 'accept-language': 'zh' },
    });
    expect(page.body.warnings).toMatchObject([{ code: 'MANIFEST_LARGE' }]);
    expect(page.body.warnings[0].message).toMatch(/\p{Script=Han}/u);
    await patch(agent.id, owner.token, makeManifest());
    const later = await server.call('GET', `/agents/${agent.id}`, { token: owner.token });
    expect(later.body.warnings).toEqual([]);
  });
});

describe('RL-3 the reply', () => {
  it('RL-3 is flat, and tells breaking changes from all changes', async () => {
    const agent = await createAgent(server, owner, { capability_manifest: makeManifest() });
    const next = makeManifest({ agent_version: '2.0.0', permission_scopes: [FILES, NETWORK] });
    const { body } = await patch(agent.id, owner.token, next);
    expect(Object.keys(body)).toEqual([
      'agent_id',
      'capability_manifest_version',
      'capability_manifest_hash',
      'breaking_changes',
      'changes',
      'warnings',
    ]);
    expect(body).toMatchObject({ capability_manifest_version: 2, capability_manifest_hash: hashManifest(next) });
    expect(body.breaking_changes).toEqual([
      {
        code: 'scope.added',
        path: '/permission_scopes/1',
        side: 'new',
        scope: 'network:http',
        breaking: true,
        consent: 'reauth',
        message: expect.any(String),
      },
    ]);
    expect(body.changes.map((change: { code: string }) => change.code).sort()).toEqual([
      'agent_version.changed',
      'scope.added',
    ]);
  });

  it('RL-3 a narrowed schema comes with a witness', async () => {
    const agent = await createAgent(server, owner, { capability_manifest: makeManifest() });
    const tool = structuredClone(READ_FILE);
    Object.assign(tool.input_schema.properties.path, { maxLength: 3 });
    const { body } = await patch(agent.id, owner.token, makeManifest({ tools: [tool] }));
    expect(body.breaking_changes).toMatchObject([{ code: 'schema.narrowed', tool: 'read_file' }]);
    expect(body.breaking_changes[0].witness.path.length).toBeGreaterThan(3);
  });

  it('RL-3 the first manifest breaks nothing', async () => {
    const agent = await createAgent(server, owner);
    expect((await patch(agent.id, owner.token, makeManifest())).body).toMatchObject({
      breaking_changes: [],
      changes: [],
      warnings: [],
    });
  });
});

describe('RL-4 versions', () => {
  it('RL-4 an identical manifest still adds 1', async () => {
    const agent = await createAgent(server, owner, { capability_manifest: makeManifest() });
    expect((await patch(agent.id, owner.token, makeManifest())).body.capability_manifest_version).toBe(2);
  });

  it('RL-4 a refused PATCH adds nothing', async () => {
    const agent = await createAgent(server, owner, { capability_manifest: makeManifest() });
    await patch(agent.id, owner.token, makeManifest({ agent_version: 'x' }));
    expect((await patch(agent.id, owner.token, makeManifest())).body.capability_manifest_version).toBe(2);
  });

  it('RL-4 If-Match with the current hash goes through, with an old one it is 412', async () => {
    const agent = await createAgent(server, owner, { capability_manifest: makeManifest() });
    const { headers } = await server.call('GET', `/agents/${agent.id}`);
    const etag = headers.get('etag')!;
    expect(etag).toBe(`"${hashManifest(makeManifest())}"`);
    const next = makeManifest({ agent_version: '1.1.0' });
    expect((await patch(agent.id, owner.token, next, { 'if-match': etag })).status).toBe(200);
    const stale = await patch(agent.id, owner.token, makeManifest(), { 'if-match': etag });
    expect(stale).toMatchObject({ status: 412, body: { error: { code: 'PRECONDITION_FAILED' } } });
    const list = await patch(agent.id, owner.token, next, { 'if-match': `${etag}, "${hashManifest(next)}"` });
    expect(list.body.capability_manifest_version).toBe(3);
  });

  it('RL-4 a weak or malformed If-Match never matches', async () => {
    const agent = await createAgent(server, owner, { capability_manifest: makeManifest() });
    const hash = hashManifest(makeManifest());
    expect((await patch(agent.id, owner.token, makeManifest(), { 'if-match': `W/"${hash}"` })).status).toBe(412);
    expect((await patch(agent.id, owner.token, makeManifest(), { 'if-match': hash })).status).toBe(400);
    expect((await patch(agent.id, owner.token, makeManifest(), { 'if-match': '*' })).status).toBe(200);
  });

  it('RL-4 a repeated Idempotency-Key repeats the reply and nothing else', async () => {
    const agent = await createAgent(server, owner);
    const headers = { 'idempotency-key': 'deploy-7' };
    const first = await patch(agent.id, owner.token, makeManifest(), headers);
    const second = await patch(agent.id, owner.token, makeManifest(), headers);
    expect(second).toMatchObject({ status: first.status, body: first.body });
    const other = await patch(agent.id, owner.token, makeManifest({ agent_version: '9.0.0' }), headers);
    expect(other).toMatchObject({ status: 409, body: { error: { code: 'IDEMPOTENCY_CONFLICT' } } });
    expect((await patch(agent.id, owner.token, makeManifest())).body.capability_manifest_version).toBe(2);
  });

  it('RL-4 a key belongs to its caller, and a failure does not use it up', async () => {
    const agent = await createAgent(server, owner);
    const headers = { 'idempotency-key': 'shared' };
    await patch(agent.id, owner.token, makeManifest({ agent_version: 'x' }), headers);
    const fixed = await patch(agent.id, owner.token, makeManifest(), headers);
    expect(fixed.body.capability_manifest_version).toBe(1);
    const bySelf = await patch(agent.id, agent.token, makeManifest({ agent_version: '2.0.0' }), headers);
    expect(bySelf.body.capability_manifest_version).toBe(2);
    const bad = await patch(agent.id, owner.token, makeManifest(), { 'idempotency-key': 'two words' });
    expect(bad.status).toBe(400);
  });
});

describe('RL-5 reading', () => {
  it('RL-5 everyone reads a public agent with its manifest and keys; warnings are for owner and agent', async () => {
    const manifest = makeManifest();
    const agent = await createAgent(server, owner, { capability_manifest: manifest, description: 'Reads.' });
    const read = (token?: string) => server.call('GET', `/agents/${agent.id}`, token ? { token } : {});
    const open = await read();
    expect(open).toMatchObject({
      status: 200,
      body: {
        agent_id: agent.id,
        name: 'DemoBot',
        description: 'Reads.',
        owner: { display_name: 'Olive' },
        status: 'active',
        capability_manifest: manifest,
        capability_manifest_version: 1,
        capability_manifest_hash: hashManifest(manifest),
        connection_mode: 'websocket',
        connection_mode_signature: null,
        identity_key: null,
        exchange_key: null,
      },
    });
    expect(open.body).not.toHaveProperty('warnings');
    // Who runs it is not told to everyone.
    expect(open.body.owner).not.toHaveProperty('user_id');
    expect((await read(owner.token)).body.owner.user_id).toBe(owner.userId);
    expect((await read(stranger.token)).body).toEqual(open.body);
    expect((await read(owner.token)).body.warnings).toEqual([]);
    expect((await read(agent.token)).body.warnings).toEqual([]);
  });

  it('RL-5 a private agent is there for its owner, itself and people with a relation', async () => {
    const agent = await createAgent(server, owner, { visibility: 'private', capability_manifest: makeManifest() });
    const read = (token: string) => server.call('GET', `/agents/${agent.id}`, { token });
    expect((await read(owner.token)).status).toBe(200);
    expect((await read(agent.token)).status).toBe(200);
    const member = await signUp(server);
    await server.call('PATCH', `/agents/${agent.id}`, { token: owner.token, body: { visibility: 'public' } });
    const relation = await server.call('POST', '/h2a/relations', {
      token: member.token,
      body: { agent_id: agent.id, granted_scopes: [] },
    });
    expect(relation.status).toBe(201);
    await server.call('PATCH', `/agents/${agent.id}`, { token: owner.token, body: { visibility: 'private' } });
    expect((await read(member.token)).status).toBe(200);
    await server.call('DELETE', `/h2a/relations/${relation.body.relation_id}`, { token: member.token });
    expect((await read(member.token)).status).toBe(404);
  });

  it('RL-5 keeps every version, paged from the newest, each readable', async () => {
    const agent = await createAgent(server, owner);
    for (const minor of [1, 2, 3]) await patch(agent.id, owner.token, makeManifest({ agent_version: `1.${minor}.0` }));
    const first = await server.call('GET', `/agents/${agent.id}/manifests?limit=2`);
    const numbers = (page: typeof first) =>
      page.body.manifests.map((entry: { capability_manifest_version: number }) => entry.capability_manifest_version);
    expect(numbers(first)).toEqual([3, 2]);
    const rest = await server.call('GET', `/agents/${agent.id}/manifests?limit=2&cursor=${first.body.next_cursor}`);
    expect(numbers(rest)).toEqual([1]);
    expect(rest.body.next_cursor).toBeNull();
    const second = await server.call('GET', `/agents/${agent.id}/manifests/2`);
    expect(second.body).toMatchObject({
      capability_manifest: makeManifest({ agent_version: '1.2.0' }),
      capability_manifest_hash: first.body.manifests[1].capability_manifest_hash,
      breaking: false,
    });
    expect((await server.call('GET', `/agents/${agent.id}/manifests/4`)).status).toBe(404);
    expect((await server.call('GET', `/agents/${agent.id}/manifests/0`)).status).toBe(400);
  });

  it('RL-5 compares any two versions, under either policy, in either language', async () => {
    const agent = await createAgent(server, owner, { capability_manifest: makeManifest() });
    const diff = (query: string) => server.call('GET', `/agents/${agent.id}/diff${query}`);
    expect((await diff('')).body).toMatchObject({ from: 1, to: 1, changes: [] });
    await patch(agent.id, owner.token, makeManifest({ agent_version: '1.1.0' }));
    await patch(agent.id, owner.token, makeManifest({ tools: [] }));
    const spec = await diff('?from=1&to=3');
    expect(spec.body).toMatchObject({ from: 1, to: 3, policy: 'spec', breaking: false, scopes_requiring_reauth: [] });
    expect(spec.body.changes).toMatchObject([{ code: 'tool.removed', side: 'old', tool: 'read_file' }]);
    const guide = await diff('?from=1&to=3&policy=guide&locale=zh-CN');
    expect(guide.body).toMatchObject({ breaking: true, scopes_requiring_reauth: ['filesystem:read'] });
    expect(guide.body.changes[0].message).toMatch(/\p{Script=Han}/u);
    expect((await diff('')).body).toMatchObject({ from: 2, to: 3 });
    expect((await diff('?from=3&to=1')).body.changes).toMatchObject([{ code: 'tool.added' }]);
    expect((await diff('?from=1&to=9')).status).toBe(404);
    expect((await diff('?from=x')).status).toBe(400);
  });
});
