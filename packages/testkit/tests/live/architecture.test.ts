import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HasheeAgent } from '@parley/agent';
import { createClient } from '@parley/client';
import type { Manifest } from '@parley/documents';
import { createNodePlatform, openFileStore } from '@parley/messenger/node';
import { agentRoutes } from '@parley/protocol';
import { startTestServer } from '@parley/testkit/live';
import { expect, it } from 'vitest';
import { watchFunctions } from './watch-functions.ts';

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

it('HS-23 x', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-walk-'));
  const server = await startTestServer();
  const client = await createClient({
    baseUrl: server.url,
    store: await openFileStore(join(folder, 'device')),
    platform: createNodePlatform(),
    executors: [{ tool: 'echo', scope: 'echo:say', run: async ({ text }) => ({ text: text ?? null }) }],
  });
  await client.register({ email: 'walk@example.test', account_password: 'correct horse battery', display_name: 'W' });
  const state = client.session.getSnapshot();
  if (state.state !== 'ready') throw new Error(state.state);
  const { device } = state;
  const { agent_id: agentId, token } = await device.api.call(agentRoutes.createAgent, {
    body: { name: 'Walk', visibility: 'public', capability_manifest: MANIFEST },
  });
  const agent = await HasheeAgent.init({
    agentId,
    token,
    baseUrl: server.url,
    connectionMode: 'websocket',
    keystore: join(folder, 'agent'),
  });
  const { manifestHash } = await device.agents.inspect({ agentId });
  const { conversationId } = await device.relations.add({ agentId, scopes: ['echo:say'], manifestHash: manifestHash! });
  const call = () => agent.callTool(conversationId, 'echo', { text: 'How do you do?' });
  await call();
  await call();
  const ran = await watchFunctions(call);
  const files = new Set([...ran].map((name) => name.split('#')[0]));
  console.log(files.size, [...files].sort().join('\n'));
  console.log([...ran].sort().join('\n'));
  expect(ran.size).toBeGreaterThan(10);
  agent.disconnect();
  client.close();
  await server.drop();
  rmSync(folder, { recursive: true, force: true });
});
