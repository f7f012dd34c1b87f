import { randomUUID } from 'node:crypto';
import { type Client, createClient, type Device, type Executor, type Prompt } from '@parley/client';
import type { Manifest } from '@parley/documents';
import { createMemoryStore } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { agentRoutes } from '@parley/protocol';
import type { TestServer } from '@parley/testkit/live';

/** A person with the real client, who answers every prompt as the test has told them to. */
export class Household {
  readonly client: Client;
  readonly device: Device;
  decide: (prompt: Prompt) => void = (prompt) => prompt.allow();
  readonly asked: Prompt[] = [];

  private constructor(client: Client, device: Device) {
    this.client = client;
    this.device = device;
    const seen = new Set<string>();
    device.prompts.subscribe(() => {
      // Only the first is drawn (CG-10).
      const [prompt] = device.prompts.getSnapshot();
      if (prompt === undefined || seen.has(prompt.id)) return;
      seen.add(prompt.id);
      this.asked.push(prompt);
      queueMicrotask(() => this.decide(prompt));
    });
  }

  static async move(server: TestServer, executors: readonly Executor[]): Promise<Household> {
    const client = await createClient({
      baseUrl: server.url,
      store: createMemoryStore(),
      platform: createNodePlatform(),
      executors,
    });
    await client.register({
      email: `${randomUUID()}@example.org`,
      account_password: 'correct horse battery',
      display_name: 'Ada',
    });
    const session = client.session.getSnapshot();
    if (session.state !== 'ready') throw new Error(`the client is ${session.state}`);
    return new Household(client, session.device);
  }

  async createAgent(manifest: Manifest): Promise<{ agentId: string; token: string }> {
    const { agent_id, token } = await this.device.api.call(agentRoutes.createAgent, {
      body: { name: 'Bot', visibility: 'public', capability_manifest: manifest },
    });
    return { agentId: agent_id, token };
  }

  /** Looks at what it wants, and grants all of it. */
  async add(agentId: string): Promise<{ conversationId: string; relationId: string }> {
    const { manifestHash } = await this.device.agents.inspect({ agentId });
    const agent = await this.device.api.call(agentRoutes.readAgent, { params: { agent_id: agentId } });
    const scopes = (agent.capability_manifest as Manifest).permission_scopes.map(({ id }) => id);
    return this.device.relations.add({ agentId, scopes, manifestHash: manifestHash! });
  }

  say(conversationId: string, text: string): Promise<unknown> {
    return this.device.conversations.sendText(conversationId, text);
  }

  /** What the other side has said. */
  heard(conversationId: string): string[] {
    const { messages } = this.device.conversations.timeline(conversationId).getSnapshot();
    return messages.flatMap(({ own, payload }) => (!own && payload.type === 'text' ? [payload.text] : []));
  }

  /** Asks again from now on. */
  async endSilence(): Promise<void> {
    for (const window of this.device.remembered.getSnapshot().windows) {
      await this.device.remembered.closeWindow(window);
    }
  }
}
