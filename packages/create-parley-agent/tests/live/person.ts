import { randomUUID } from 'node:crypto';
import { type Client, createClient, type Device, type Prompt } from '@parley/client';
import { nodeExecutors } from '@parley/client/node';
import type { Manifest } from '@parley/documents';
import { createMemoryStore } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { agentRoutes } from '@parley/protocol';
import { until } from '@parley/testkit/until';
import { expect } from 'vitest';
import type { Project } from './project.ts';

/** A person with one device, who owns the agents, talks to them, and allows or denies everything. */
export class Person {
  readonly client: Client;
  readonly #device: Device;
  readonly #baseUrl: string;
  readonly #conversations = new Map<Project, string>();
  readonly shown: string[];
  decision: 'allow' | 'deny' = 'allow';

  private constructor(client: Client, baseUrl: string, shown: string[]) {
    const session = client.session.getSnapshot();
    if (session.state !== 'ready') throw new Error(`the client is ${session.state}`);
    this.client = client;
    this.#device = session.device;
    this.#baseUrl = baseUrl;
    this.shown = shown;
    const answered = new Set<Prompt['id']>();
    this.#device.prompts.subscribe(() => {
      const [prompt] = this.#device.prompts.getSnapshot();
      if (prompt === undefined || answered.has(prompt.id)) return;
      answered.add(prompt.id);
      queueMicrotask(() => (this.decision === 'allow' ? prompt.allow() : prompt.deny()));
    });
  }

  static async join(baseUrl: string): Promise<Person> {
    const shown: string[] = [];
    const client = await createClient({
      baseUrl,
      store: createMemoryStore(),
      platform: createNodePlatform(),
      executors: nodeExecutors({ network: { allowPrivate: true }, notify: ({ title }) => void shown.push(title) }),
    });
    const email = `${randomUUID()}@example.org`;
    await client.register({ email, account_password: 'correct horse battery', display_name: 'Ada' });
    return new Person(client, baseUrl, shown);
  }

  /** Registers the agent of a project and writes its settings. */
  async own(project: Project): Promise<void> {
    const manifest = JSON.parse(project.read('manifest.json')) as Manifest;
    const { agent_id, token } = await this.#device.api.call(agentRoutes.createAgent, {
      body: { name: project.name, visibility: 'private', capability_manifest: manifest },
    });
    project.set({ PARLEY_URL: this.#baseUrl, PARLEY_AGENT_ID: agent_id, PARLEY_AGENT_TOKEN: token });
  }

  /** Adds the agent of a project that runs, and grants it everything that it asks for. */
  async add(project: Project): Promise<void> {
    const agentId = /^PARLEY_AGENT_ID=(.*)$/m.exec(project.read('.env'))![1]!;
    const scopes = (JSON.parse(project.read('manifest.json')) as Manifest).permission_scopes.map(({ id }) => id);
    const { manifestHash } = await this.#device.agents.inspect({ agentId });
    const { conversationId } = await this.#device.relations.add({ agentId, scopes, manifestHash: manifestHash! });
    this.#conversations.set(project, conversationId);
  }

  /** What the agent says to this. */
  async ask(project: Project, text: string): Promise<string> {
    const id = this.#conversations.get(project)!;
    const before = this.#heard(id).length;
    await this.#device.conversations.sendText(id, text);
    await until(() => expect(this.#heard(id).length, project.output).toBe(before + 1));
    return this.#heard(id).at(-1)!;
  }

  /** Denies from now on, and is asked again for what was allowed before. */
  async denyAll(): Promise<void> {
    this.decision = 'deny';
    for (const window of this.#device.remembered.getSnapshot().windows) {
      await this.#device.remembered.closeWindow(window);
    }
  }

  #heard(id: string): string[] {
    const { messages } = this.#device.conversations.timeline(id).getSnapshot();
    return messages.flatMap(({ own, payload }) => (!own && payload.type === 'text' ? [payload.text] : []));
  }
}
