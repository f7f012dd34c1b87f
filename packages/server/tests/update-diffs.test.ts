import { diffManifests } from '@parley/documents';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { acceptManifest } from '../src/agents/manifest.ts';
import { updateAgent } from '../src/agents/update.ts';
import { addAgent, addPerson, makeManifest } from './harness/relations.ts';
import { startTestServer, type TestServer } from './harness/server.ts';

vi.mock('@parley/documents', async (load) => {
  const documents = await load<typeof import('@parley/documents')>();
  return { ...documents, diffManifests: vi.fn(documents.diffManifests) };
});

const versionOf = (step: number) =>
  makeManifest(
    { 'a:read': 'low' },
    { tool_a: { scope: 'a:read', properties: { [`field_${step}`]: { type: 'string' } } } },
  );

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());
beforeEach(() => {
  vi.mocked(diffManifests).mockClear();
});

const update = (agentId: string, step: number) =>
  updateAgent(server.platform, {
    agentId,
    accepted: acceptManifest(versionOf(step), 'en'),
    precondition: undefined,
    idempotencyKey: undefined,
    locale: 'zh-CN',
  });

describe('RL-8 the diffs of an update', () => {
  it('RL-8 the version before is compared once, for the reply and for everyone who agreed to it', async () => {
    const agent = await addAgent(server, await addPerson(server), versionOf(0));
    await agree(agent.id);
    const { changes } = await update(agent.id, 1);
    expect(changes.length).toBeGreaterThan(0);
    expect(diffManifests).toHaveBeenCalledTimes(1);
  });

  it('RL-9 one more diff for each older manifest that someone agreed to, however many they are', async () => {
    const agent = await addAgent(server, await addPerson(server), versionOf(0));
    await agree(agent.id);
    await agree(agent.id);
    await update(agent.id, 1);
    await agree(agent.id);
    vi.mocked(diffManifests).mockClear();
    await update(agent.id, 2);
    expect(diffManifests).toHaveBeenCalledTimes(2);
  });
});

async function agree(agentId: string): Promise<void> {
  const { token } = await addPerson(server);
  const body = { agent_id: agentId, granted_scopes: ['a:read'] };
  expect((await server.call('POST', '/h2a/relations', { token, body })).status).toBe(201);
}
