import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HasheeAgent } from '@parley/agent';
import { startDemoBot } from '@parley/demo-bot';
import { createMemoryStore } from '@parley/messenger';
import { ensureLocalAgent } from '@parley/server';
import type { TestServer } from '@parley/testkit/live';

// biome-ignore lint/suspicious/noExplicitAny: manifests of tests are bad on purpose
export type AnyManifest = any;

/** The scope of `fetch_url`, which is medium: a person switches it on (CM-17). */
export const WEB_SCOPE = 'Open web addresses';
export const DEMO_MANIFEST: AnyManifest = JSON.parse(
  readFileSync(new URL('../../../../../examples/demo-bot/manifest.json', import.meta.url), 'utf8'),
);

interface Registered {
  readonly agentId: string;
  readonly token: string;
  readonly name: string;
  /** The maker's. */
  readonly makerToken?: string | undefined;
}

export interface Bot extends Registered {
  readonly agent: HasheeAgent;
  publish(manifest: AnyManifest): Promise<void>;
  /** Its maker deletes it. */
  remove(): Promise<void>;
}

export interface AgentSetup {
  readonly name?: string;
  readonly description?: string;
  readonly manifest?: AnyManifest;
}

/** An agent of a maker of its own. */
async function registerAgent(server: TestServer, setup: AgentSetup = {}): Promise<Registered> {
  const { name = 'DemoBot', description = '', manifest = DEMO_MANIFEST } = setup;
  const maker = { email: `${crypto.randomUUID()}@example.org`, account_password: 'correct horse battery' };
  const account = await server.call('POST', '/auth/register', { body: { ...maker, display_name: 'Maker' } });
  const { status, body } = await server.call('POST', '/agents', {
    token: account.body.access_token,
    body: { name, description, visibility: 'public', capability_manifest: manifest },
  });
  if (status !== 201) throw new Error(`the agent was not taken: ${JSON.stringify(body)}`);
  return { agentId: body.agent_id, token: body.token, name, makerToken: account.body.access_token };
}

export async function startBot(server: TestServer, setup: AgentSetup = {}): Promise<Bot> {
  return run(server, await registerAgent(server, setup), (options) =>
    HasheeAgent.init({ ...options, connectionMode: 'websocket' }),
  );
}

/** The one of examples/, as it is. */
export async function startRealDemoBot(server: TestServer, setup: AgentSetup = {}): Promise<Bot> {
  return run(server, await registerAgent(server, setup), startDemoBot);
}

/** The same, as it comes with the server. */
export async function startBuiltInDemoBot(server: TestServer): Promise<Bot> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-demo-'));
  try {
    const [name, tokenFile] = ['DemoBot', join(folder, 'demo-bot.token')];
    const made = await ensureLocalAgent(server.platform, { name, manifest: DEMO_MANIFEST, tokenFile });
    if (made === undefined) throw new Error('the server has banned its own agent');
    return await run(server, { ...made, name }, startDemoBot);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

type Start = (options: Parameters<typeof startDemoBot>[0]) => Promise<HasheeAgent>;

async function run(server: TestServer, registered: Registered, start: Start): Promise<Bot> {
  const { agentId, token, makerToken } = registered;
  const agent = await start({ agentId, token, baseUrl: server.url, keystore: createMemoryStore() });
  return {
    ...registered,
    agent,
    async publish(manifest) {
      const { status, body } = await server.call('PATCH', `/agents/${agentId}`, { token, body: manifest });
      if (status !== 200) throw new Error(`the manifest was not taken: ${JSON.stringify(body)}`);
    },
    async remove() {
      const { status, body } = await server.call('DELETE', `/agents/${agentId}`, { token: makerToken ?? '' });
      if (status >= 300) throw new Error(`the agent was not deleted: ${JSON.stringify(body)}`);
    },
  };
}
