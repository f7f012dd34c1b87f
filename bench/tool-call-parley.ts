import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HasheeAgent } from '@parley/agent';
import { type Client, createClient } from '@parley/client';
import type { Manifest } from '@parley/documents';
import { createNodePlatform, openFileStore } from '@parley/messenger/node';
import { agentRoutes } from '@parley/protocol';
import type { Server } from '@parley/server';
import { startServer } from './bench-server.ts';
import { serveTasks, startChild } from './child-process.ts';
import { rateOf, timesOf } from './throughput.ts';
import type { Contender } from './tool-call.ts';

export const MANIFEST: Manifest = {
  schema_version: '1.0',
  agent_version: '1.0.0',
  tools: [
    {
      name: 'echo',
      description_i18n_key: 'tool.echo',
      description_fallback: 'Says it back',
      input_schema: {
        type: 'object',
        properties: { text: { type: 'string', maxLength: 2_000 } },
        required: ['text'],
        additionalProperties: false,
      },
      permission_scope: 'echo:say',
    },
  ],
  permission_scopes: [
    { id: 'echo:say', label_i18n_key: 'scope.echo', label_fallback: 'Say it back', sensitivity: 'low' },
  ],
};

interface Account {
  readonly agentId: string;
  readonly token: string;
  readonly conversationId: string;
}
interface ServerLocation {
  readonly url: string;
  readonly folder: string;
}

export async function startParley(): Promise<Contender> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bench-'));
  const server = startChild(import.meta.url, 'parley-server');
  const device = startChild(import.meta.url, 'parley-device');
  const agent = startChild(import.meta.url, 'parley-agent');
  const location: ServerLocation = { url: await server.ask('listen'), folder };
  const created = await device.ask('createAgent', location);
  await agent.ask('connect', { ...location, ...created });
  const conversationId = await device.ask('addAgent', created);
  await agent.ask('use', conversationId);
  return {
    together: (count, atOnce) => agent.ask('together', { count, atOnce }),
    oneByOne: (count) => agent.ask('oneByOne', { count }),
    stop: async () => {
      for (const child of [agent, device, server]) await child.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** It is a promise, because the parent may exit before the server has started. */
let starting: Promise<Server> | undefined;

async function listen(): Promise<string> {
  starting = startServer({ toolCallsPerMinute: 10_000_000 });
  return (await starting).url;
}

let client: Client;

function deviceOf({ session }: Client) {
  const state = session.getSnapshot();
  if (state.state !== 'ready') throw new Error(`bench: the device is ${state.state}`);
  return state.device;
}

async function createAgent({ url, folder }: ServerLocation): Promise<Omit<Account, 'conversationId'>> {
  client = await createClient({
    baseUrl: url,
    store: await openFileStore(join(folder, 'device')),
    platform: createNodePlatform(),
    executors: [{ tool: 'echo', scope: 'echo:say', run: async ({ text }) => ({ text: text ?? null }) }],
  });
  const account_password = randomUUID();
  await client.register({ email: `${account_password}@example.test`, account_password, display_name: 'Bench' });
  const body = { name: 'Bench', visibility: 'public', capability_manifest: MANIFEST } as const;
  const { agent_id: agentId, token } = await deviceOf(client).api.call(agentRoutes.createAgent, { body });
  return { agentId, token };
}

async function addAgent({ agentId }: Account): Promise<string> {
  const { agents, relations } = deviceOf(client);
  const { manifestHash } = await agents.inspect({ agentId });
  const view = await relations.add({ agentId, scopes: ['echo:say'], manifestHash: manifestHash! });
  return view.conversationId;
}

let agent: HasheeAgent;
let conversationId: string;

async function connect({ agentId, token, url, folder }: Account & ServerLocation): Promise<void> {
  const keystore = join(folder, 'agent');
  agent = await HasheeAgent.init({ agentId, token, baseUrl: url, connectionMode: 'websocket', keystore });
}

const call = () => agent.callTool(conversationId, 'echo', { text: 'How do you do?' });

serveTasks({
  'parley-server': {
    listen,
    end: async () => (await starting)?.close(),
  },
  'parley-device': { createAgent, addAgent, end: () => client.close() },
  'parley-agent': {
    connect,
    use: async (id: string) => {
      conversationId = id;
    },
    together: ({ count, atOnce }: { count: number; atOnce: number }) => rateOf(call, count, atOnce),
    oneByOne: ({ count }: { count: number }) => timesOf(call, count),
    end: () => agent.disconnect(),
  },
});
