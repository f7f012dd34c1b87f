import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SYSTEM_AGENT_ID } from '@parley/protocol';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ensureLocalAgent } from '../src/agents/local-agent.ts';
import { signUp } from './harness/accounts.ts';
import { makeManifest } from './harness/manifests.ts';
import { startTestServer, type TestServer } from './harness/server.ts';

let server: TestServer;
let folder: string;
let tokenFile: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'parley-local-'));
  tokenFile = join(folder, 'demo-bot.token');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const ensure = (name: string, manifest: unknown = makeManifest()) =>
  ensureLocalAgent(server.platform, { name, manifest, tokenFile });
const RESERVED = makeManifest({
  permission_scopes: [
    ...makeManifest().permission_scopes,
    { id: 'hashee:agents.read', label_i18n_key: 'x', label_fallback: 'x', sensitivity: 'low' },
  ],
});
const read = (token: string, id: string) => server.call('GET', `/agents/${id}`, { token });

describe('SK-1 an agent that comes with the server', () => {
  it('SK-1 is made once, with a token for the owner of the process alone, and found again', async () => {
    const first = (await ensure('Once'))!;
    expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
    expect(readFileSync(tokenFile, 'utf8').trim()).toBe(first.token);
    expect(await ensure('Once')).toEqual(first);
    const { body } = await read(first.token, first.agentId);
    expect(body).toMatchObject({ name: 'Once', capability_manifest_version: 1 });
  });

  it('RL-4 a new manifest is a new version; the same one is none', async () => {
    const agent = (await ensure('Changing'))!;
    await ensure('Changing');
    await ensure('Changing', makeManifest({ agent_version: '9.9.9' }));
    const { body } = await read(agent.token, agent.agentId);
    expect(body.capability_manifest_version).toBe(2);
  });

  it.each(['lost', 'not its own'])('SK-1 a token that is %s is replaced, and the old one ends', async (what) => {
    const agent = (await ensure(`Token ${what}`))!;
    if (what === 'lost') rmSync(tokenFile);
    else writeFileSync(tokenFile, `hsk_${'x'.repeat(40)}`);
    const again = (await ensure(`Token ${what}`))!;
    expect(again.agentId).toBe(agent.agentId);
    expect(again.token).not.toBe(agent.token);
    expect((await read(again.token, agent.agentId)).status).toBe(200);
    expect((await server.call('GET', '/keys/status', { token: agent.token })).status).toBe(401);
  });

  it('TR-9 nobody signs in as the owner of local agents', async () => {
    await ensure('Owned');
    const ada = await signUp(server);
    await server.makeOperator(ada.id);
    const { body } = await server.call('GET', '/admin/accounts', { token: ada.token });
    const owner = body.accounts.find(({ display_name }: { display_name: string }) => display_name === 'Parley');
    for (const email of [owner.email, `${owner.email}@localhost`, `${owner.email}@parley.invalid`]) {
      for (const account_password of ['', 'null', 'correct horse battery']) {
        const login = await server.call('POST', '/auth/login', { body: { email, account_password } });
        expect(login.status).toBeGreaterThanOrEqual(400);
      }
    }
    const taken = { email: owner.email, account_password: 'correct horse battery', display_name: 'Eve' };
    expect((await server.call('POST', '/auth/register', { body: taken })).status).toBeGreaterThanOrEqual(400);
  });

  it('TR-9 what an operator has banned stays banned over a restart', async () => {
    const agent = (await ensure('Banned'))!;
    await server.platform.db.updateTable('agents').set({ status: 'banned' }).where('id', '=', agent.agentId).execute();
    expect(await ensure('Banned')).toBeUndefined();
    const { length } = await server.platform.db
      .selectFrom('agents')
      .select('id')
      .where('name', '=', 'Banned')
      .execute();
    expect(length).toBe(1);
  });
});

describe('RL-5 agents that come with the server', () => {
  it('RL-5 attack: an agent that takes the name of one of them is not among them', async () => {
    const agent = (await ensure('Guide'))!;
    const eve = await signUp(server);
    const fake = { name: 'Guide', visibility: 'public', capability_manifest: makeManifest() };
    expect((await server.call('POST', '/agents', { token: eve.token, body: fake })).status).toBe(201);
    const { body } = await server.call('GET', '/agents?built_in=true&q=Guide', { token: eve.token });
    expect(body.agents.map(({ agent_id }: { agent_id: string }) => agent_id)).toEqual([agent.agentId]);
  });
});

describe('SA-1 the platform’s own agent', () => {
  const ensureSystem = (manifest: unknown = RESERVED) =>
    ensureLocalAgent(server.platform, { name: 'Hashee', manifest, tokenFile, system: true });
  const patch = (token: string, id: string, body: unknown) => server.call('PATCH', `/agents/${id}`, { token, body });

  it('CM-10 has one id on every server, and reserved scopes only from the server itself', async () => {
    const agent = (await ensureSystem())!;
    expect(agent.agentId).toBe(SYSTEM_AGENT_ID);
    expect(await ensureSystem()).toEqual(agent);
    const next = { ...RESERVED, agent_version: '9.9.9' };
    await ensureSystem(next);
    const { body } = await read(agent.token, agent.agentId);
    expect(body).toMatchObject({ capability_manifest: next, capability_manifest_version: 2 });
  });

  it('CM-10 attack: whoever has its token cannot give it more reserved scopes', async () => {
    const agent = (await ensureSystem())!;
    const { status, body } = await patch(agent.token, agent.agentId, RESERVED);
    expect(status).toBe(422);
    expect(body.findings).toMatchObject([{ code: 'SCOPE_RESERVED', path: '/permission_scopes/1/id' }]);
  });

  it('CM-10 attack: another agent of the server that takes its name gets neither its id nor its scopes', async () => {
    const agent = (await ensureSystem())!;
    const other = (await ensureLocalAgent(server.platform, {
      name: 'Other',
      manifest: makeManifest(),
      tokenFile: join(folder, 'other.token'),
    }))!;
    expect((await patch(other.token, other.agentId, { name: 'Hashee' })).status).toBe(200);
    expect((await patch(other.token, other.agentId, RESERVED)).status).toBe(422);
    expect((await ensureSystem())!.agentId).toBe(agent.agentId);
    await expect(ensure('Third', RESERVED)).rejects.toMatchObject({ code: 'MANIFEST_INVALID' });
  });

  it('CM-10 attack: a person who declares them is refused, at creation and later', async () => {
    const ada = await signUp(server);
    const fields = { name: 'Hashee', capability_manifest: RESERVED };
    expect((await server.call('POST', '/agents', { token: ada.token, body: fields })).status).toBe(422);
    const { body } = await server.call('POST', '/agents', { token: ada.token, body: { name: 'Mine' } });
    expect((await patch(ada.token, body.agent_id, RESERVED)).status).toBe(422);
  });
});
