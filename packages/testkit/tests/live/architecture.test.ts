import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HasheeAgent } from '@parley/agent';
import { activateBundle } from '@parley/bundles';
import { type Client, createClient } from '@parley/client';
import { diffManifests, hashManifest, type Json, type Manifest, validateManifest } from '@parley/documents';
import { createNodePlatform, openFileStore } from '@parley/messenger/node';
import { agentRoutes } from '@parley/protocol';
import { startTestServer, type TestServer } from '@parley/testkit/live';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT, watchFunctions } from './watch-functions.ts';

const MANIFEST: Manifest = {
  schema_version: '1.0',
  agent_version: '1.0.0',
  tools: [
    {
      name: 'echo',
      description_i18n_key: 'tool.echo',
      description_fallback: 'Says it back',
      input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      permission_scope: 'echo:say',
    },
  ],
  permission_scopes: [
    { id: 'echo:say', label_i18n_key: 'scope.echo', label_fallback: 'Say it back', sensitivity: 'low' },
  ],
};

/** The steps of a walk in `docs/architecture.md`, as `file#function`. */
function readWalk(title: string): string[] {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const section = page.split(/^## /m).find((part) => part.startsWith(title)) ?? '';
  return [...section.matchAll(/^\| \d+ \| `([^`]+)` \| ([^|]+) \|/gm)].flatMap(([, file, functions]) =>
    [...functions!.matchAll(/`([^`]+)`/g)].map(([, name]) => `${file}#${name}`),
  );
}

async function expectWalk(title: string, run: () => Promise<unknown>): Promise<void> {
  const steps = readWalk(title);
  expect(steps.length).toBeGreaterThan(8);
  const ran = await watchFunctions(run);
  expect(steps.filter((step) => !ran.has(step))).toEqual([]);
}

describe('HS-23 the walks of docs/architecture.md are what happens', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-walk-'));
  let server: TestServer;
  let client: Client;
  let agent: HasheeAgent;
  let call: () => Promise<unknown>;
  let push: (manifest: Manifest) => Promise<unknown>;

  beforeAll(async () => {
    server = await startTestServer();
    client = await createClient({
      baseUrl: server.url,
      store: await openFileStore(join(folder, 'device')),
      platform: createNodePlatform(),
      executors: [{ tool: 'echo', scope: 'echo:say', run: async ({ text }) => ({ text: text ?? null }) }],
    });
    await client.register({
      email: 'walk@example.test',
      account_password: 'correct horse battery',
      display_name: 'Wu',
    });
    const state = client.session.getSnapshot();
    if (state.state !== 'ready') throw new Error(`the device is ${state.state}`);
    const { api, agents, relations } = state.device;
    const { agent_id: agentId, token } = await api.call(agentRoutes.createAgent, {
      body: { name: 'Walk', visibility: 'public', capability_manifest: MANIFEST },
    });
    agent = await HasheeAgent.init({
      agentId,
      token,
      baseUrl: server.url,
      connectionMode: 'websocket',
      keystore: join(folder, 'agent'),
    });
    const { manifestHash } = await agents.inspect({ agentId });
    const { conversationId } = await relations.add({ agentId, scopes: ['echo:say'], manifestHash: manifestHash! });
    call = () => agent.callTool(conversationId, 'echo', { text: 'How do you do?' });
    push = (manifest) => server.call('PATCH', `/agents/${agentId}`, { token, body: manifest });
  });

  afterAll(async () => {
    await agent.disconnect();
    await client.close();
    await server.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('HS-23 one tool call', async () => {
    // The first one also meets and greets: keys are fetched, a ratchet is begun.
    await call();
    await expectWalk('One tool call', call);
  });

  it('HS-23 one PATCH of a manifest', async () => {
    const [scope] = MANIFEST.permission_scopes;
    const stricter = { ...MANIFEST, permission_scopes: [{ ...scope, sensitivity: 'medium' }] } as Manifest;
    await expectWalk('One PATCH', async () => {
      await push(stricter);
      // What a worker thread did for it cannot be watched from here, so this thread does the same.
      validateManifest(stricter);
      hashManifest(stricter as unknown as Json);
      diffManifests(MANIFEST, stricter);
    });
  });

  it('HS-23 one activation of a bundle', async () => {
    const manifest = JSON.parse(readFileSync(join(ROOT, 'examples/bundles/note-taker/manifest.json'), 'utf8'));
    const workspace = mkdtempSync(join(folder, 'workspace-'));
    await expectWalk('One activation', () => activateBundle({ manifest, roots: { workspace } }));
  });
});
