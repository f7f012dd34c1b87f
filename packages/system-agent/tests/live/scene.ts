import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type ChatMessage,
  type Client,
  createClient,
  type Device,
  hasheeExecutors,
  type NewSecret,
  type Prompt,
} from '@parley/client';
import type { Manifest } from '@parley/documents';
import { createMemoryStore, type Store } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { agentRoutes, type Card, type Payload, SYSTEM_AGENT_ID } from '@parley/protocol';
import { ensureLocalAgent } from '@parley/server';
import type { TestServer } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { expect } from 'vitest';

const ROOM = new URL('../../', import.meta.url);
export const MANIFEST = JSON.parse(readFileSync(new URL('manifest.json', ROOM), 'utf8')) as Manifest;

export function makeFolder(): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'parley-hashee-'));
  return { path: join(folder, 'hashee.token'), remove: () => rmSync(folder, { recursive: true, force: true }) };
}

export interface Program {
  readonly folder: string;
  readonly token: string;
  /** As kill -9 would, and once more. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** The real program, started as a server starts it. */
export async function startProgram(server: TestServer, env: Record<string, string> = {}): Promise<Program> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-hashee-'));
  const options = { name: 'Hashee', manifest: MANIFEST, tokenFile: join(folder, 'hashee.token'), system: true };
  const { agentId, token } = (await ensureLocalAgent(server.platform, options))!;
  let child: ChildProcess;
  const start = () =>
    new Promise<void>((resolve, reject) => {
      child = spawn(process.execPath, [fileURLToPath(new URL('dist/main.js', ROOM))], {
        env: {
          PATH: process.env.PATH ?? '',
          PARLEY_URL: server.url,
          PARLEY_AGENT_ID: agentId,
          PARLEY_AGENT_TOKEN: token,
          PARLEY_KEYSTORE: folder,
          ...env,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      child.stdout!.on('data', (text: Buffer) => text.includes('online') && resolve());
      child.once('exit', (code) => reject(new Error(`Hashee ended: ${code}`)));
    });
  const end = (signal: NodeJS.Signals) =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.kill(signal);
    });
  await start();
  return {
    folder,
    token,
    async restart() {
      await end('SIGKILL');
      await start();
    },
    async stop() {
      await end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A person with a real device. What it answers to prompts, the test decides. */
export class Person {
  readonly client: Client;
  readonly device: Device;
  readonly secrets: NewSecret[];
  readonly asked: Prompt[] = [];
  decide: (prompt: Prompt) => void = (prompt) => prompt.allow();
  conversationId = '';
  readonly #store: Store;
  #read = 0;

  private constructor(client: Client, secrets: NewSecret[], store: Store) {
    const session = client.session.getSnapshot();
    if (session.state !== 'ready') throw new Error(`the client is ${session.state}`);
    this.client = client;
    this.device = session.device;
    this.secrets = secrets;
    this.#store = store;
    const seen = new Set<string>();
    this.device.prompts.subscribe(() => {
      const [prompt] = this.device.prompts.getSnapshot();
      if (prompt === undefined || seen.has(prompt.id)) return;
      seen.add(prompt.id);
      this.asked.push(prompt);
      queueMicrotask(() => this.decide(prompt));
    });
  }

  static async join(server: TestServer): Promise<Person> {
    const secrets: NewSecret[] = [];
    const store = createMemoryStore();
    const client = await createClient({
      baseUrl: server.url,
      store,
      platform: createNodePlatform(),
      executors: (api, accountId) => hasheeExecutors({ api, accountId, showSecret: (one) => secrets.push(one) }),
    });
    const email = `${randomUUID()}@example.org`;
    await client.register({ email, account_password: 'correct horse battery', display_name: 'Ada' });
    return new Person(client, secrets, store);
  }

  /** Waits until Hashee is there by itself, and has said hello. */
  async meet(): Promise<this> {
    await until(() => {
      const found = this.device.conversations.list.getSnapshot().find(({ agentId }) => agentId === SYSTEM_AGENT_ID);
      expect(found?.title).toBe('Hashee');
      this.conversationId = found!.conversationId;
    });
    expect(await this.text()).toContain('Hashee');
    return this;
  }

  async own(name: string, manifest?: Manifest): Promise<{ agentId: string; token: string }> {
    const body = { name, visibility: 'private' as const, ...(manifest && { capability_manifest: manifest }) };
    const { agent_id, token } = await this.device.api.call(agentRoutes.createAgent, { body });
    return { agentId: agent_id, token };
  }

  /** On the disk of the device. */
  everythingKept() {
    return this.#store.list('');
  }

  read(agentId: string) {
    return this.device.api.call(agentRoutes.readAgent, { params: { agent_id: agentId } });
  }

  say(text: string) {
    return this.device.conversations.sendText(this.conversationId, text);
  }

  answer(card: Card, action: string, values: Record<string, string> = {}) {
    return this.device.conversations.answerCard(this.conversationId, card.artifact_id, { action, values });
  }

  /** The next thing Hashee says or shows. */
  async next(): Promise<Payload> {
    return until(() => {
      const heard = this.heard();
      expect(heard.length).toBeGreaterThan(this.#read);
      return heard[this.#read++]!.payload;
    });
  }

  async text(): Promise<string> {
    const payload = await this.next();
    if (payload.type !== 'text') throw new Error(`expected words, got ${JSON.stringify(payload)}`);
    return payload.text;
  }

  async card(): Promise<Card> {
    const payload = await this.next();
    if (payload.type !== 'artifact' || !('blocks' in payload.artifact)) {
      throw new Error(`expected a card, got ${JSON.stringify(payload)}`);
    }
    return payload.artifact;
  }

  private heard(): readonly ChatMessage[] {
    const { messages } = this.device.conversations.timeline(this.conversationId).getSnapshot();
    return messages.filter(({ own, call }) => !own && call === undefined);
  }
}

/** All that can be read on a card. */
export const wordsOf = (card: Card): string => JSON.stringify(card);
