import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HasheeAgent } from '@parley/agent';
import { type Client, createClient, type Device, type Executor, ExecutorError } from '@parley/client';
import type { Manifest } from '@parley/documents';
import type { SkillDescriptor } from '@parley/documents/skill';
import { createMemoryStore } from '@parley/messenger';
import { createNodePlatform } from '@parley/messenger/node';
import { agentRoutes, type Card } from '@parley/protocol';
import { createSkillClient, skillExecutor } from '@parley/skills';
import { createApiKey, createTaskHandler, serveSkill } from '@parley/skills/provider';
import { createPostgresStore, listen } from '@parley/skills/provider/node';
import { createDatabase, startTestServer, type TestServer } from '@parley/testkit/live';
import { until } from '@parley/testkit/until';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { count, describeSkill, visit } from '../served.ts';

const MANIFEST: Manifest = {
  schema_version: '1.0',
  agent_version: '1.0.0',
  tools: [
    {
      name: 'count_words',
      description_i18n_key: 'tool.count_words',
      description_fallback: { en: 'Counts words', 'zh-CN': '数单词' },
      input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      permission_scope: 'skill:count',
    },
  ],
  permission_scopes: [
    { id: 'skill:count', label_i18n_key: 'scope.count', label_fallback: 'Count words', sensitivity: 'low' },
  ],
};

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.drop());

async function moveIn(executors: readonly Executor[] = []): Promise<{ client: Client; device: Device }> {
  const client = await createClient({
    baseUrl: server.url,
    store: createMemoryStore(),
    platform: createNodePlatform(),
    executors,
  });
  onTestFinished(() => client.close());
  await client.register({
    email: `${randomUUID()}@example.org`,
    account_password: 'correct horse battery',
    display_name: 'Ada',
  });
  const session = client.session.getSnapshot();
  if (session.state !== 'ready') throw new Error(`the client is ${session.state}`);
  return { client, device: session.device };
}

async function addAgent(device: Device) {
  const { agent_id: agentId, token } = await device.api.call(agentRoutes.createAgent, {
    body: { name: 'Bot', visibility: 'public', capability_manifest: MANIFEST },
  });
  const keystore = mkdtempSync(join(tmpdir(), 'parley-task-'));
  onTestFinished(() => rmSync(keystore, { recursive: true, force: true }));
  const connect = async () => {
    const agent = await HasheeAgent.init({
      connectionMode: 'websocket',
      agentId,
      token,
      baseUrl: server.url,
      keystore,
    });
    onTestFinished(() => agent.disconnect());
    return agent;
  };
  const agent = await connect();
  const { manifestHash } = await device.agents.inspect({ agentId });
  const { conversationId } = await device.relations.add({
    agentId,
    scopes: ['skill:count'],
    manifestHash: manifestHash!,
  });
  return { agent, conversationId, connect };
}

/** The cards that the person sees now. */
function cardsOf(device: Device, conversationId: string): Card[] {
  const { messages } = device.conversations.timeline(conversationId).getSnapshot();
  return messages.flatMap(({ payload }) =>
    payload.type === 'artifact' && 'blocks' in payload.artifact ? [payload.artifact as Card] : [],
  );
}

const actionsOf = (card: Card | undefined) =>
  card?.blocks.flatMap((block) => (block.tag === 'action' ? [block.id] : [])) ?? [];

const TASK: Partial<SkillDescriptor> = {
  capability_type: 'task',
  endpoint: { ...describeSkill().endpoint, timeout_ms: 120_000 },
};

describe('SI-5 a task in a person’s conversation', () => {
  it('is accepted and answered on the person’s device, and polled like any other; it survives a restart', async () => {
    const database = await createDatabase();
    onTestFinished(() => database.drop());
    const { device } = await moveIn();
    const { agent, conversationId, connect } = await addAgent(device);
    const descriptor = describeSkill(TASK);
    const store = () => createPostgresStore({ url: database.url, leaseMs: 1_500, graceMs: 50 });
    const start = async (helper: HasheeAgent) => {
      const handler = createTaskHandler(helper, { descriptor, conversationId });
      const skill = await serveSkill(descriptor, handler, { store: store() });
      onTestFinished(() => skill.close());
      return { skill, ...visit(skill, descriptor) };
    };
    const first = await start(agent);
    const { execution_id: id } = (await first.invoke({ text: 'How many?' })).body;
    await until(() => expect(actionsOf(cardsOf(device, conversationId).at(-1))).toEqual(['accept', 'reject']));
    const artifactId = cardsOf(device, conversationId).at(-1)!.artifact_id;
    await device.conversations.answerCard(conversationId, artifactId, { action: 'accept' });
    await until(() => expect(actionsOf(cardsOf(device, conversationId).at(-1))).toEqual(['done', 'reject']));
    await first.skill.close();
    await agent.disconnect();

    const second = await start(await connect());
    await until(() => expect(JSON.stringify(cardsOf(device, conversationId).at(-1))).toContain('restarted'));
    expect(cardsOf(device, conversationId)).toHaveLength(1);
    const answer = { action: 'done', values: { words: '42' } };
    await device.conversations.answerCard(conversationId, artifactId, answer);
    await until(async () => expect((await second.get(`/count/status/${id}`)).body.status).toBe('completed'));
    expect((await second.get(`/count/result/${id}`)).body.output).toEqual({ words: 42 });
  });
});

describe('CG-5 SI-5 a skill as a tool on a person’s device', () => {
  async function offer(text: string, { decide }: { decide: 'allow' | 'deny' }) {
    const { key, entry } = await createApiKey('ada');
    const auth = { auth: { type: 'api_key', header: 'X-API-Key' }, access: 'restricted' } as const;
    const handler = vi.fn(count);
    const skill = await serveSkill(describeSkill(auth), handler, { apiKeys: [entry], waitMs: 5_000 });
    const provider = await listen(skill, { port: 0 });
    onTestFinished(() => provider.close());
    const executor = skillExecutor(describeSkill(auth, provider.url), {
      tool: 'count_words',
      scope: 'skill:count',
      client: createSkillClient({ allowLoopback: true }),
      invoke: { credentials: { find: async () => ({ api_key: key }), saveTokens: async () => false } },
      ExecutorError,
    });
    const { device } = await moveIn([executor]);
    const { agent, conversationId } = await addAgent(device);
    const notes: unknown[] = [];
    device.prompts.subscribe(() => {
      const [prompt] = device.prompts.getSnapshot();
      if (prompt === undefined || notes.includes(prompt.id)) return;
      notes.push(prompt.id, prompt);
      queueMicrotask(() => (decide === 'allow' ? prompt.allow() : prompt.deny()));
    });
    const result = agent.callTool(conversationId, 'count_words', { text });
    return { result, handler, notes, key };
  }

  it('runs after the guard let it, with the person’s credentials, which the agent never sees', async () => {
    const { result, notes, handler, key } = await offer('a b c', { decide: 'allow' });
    await expect(result).resolves.toEqual({ words: 3 });
    expect(handler.mock.calls[0]![1].callerId).toBe('ada');
    // The executor's floor is medium, although the manifest says low: the person was asked, and told where it goes.
    expect(JSON.stringify(notes)).toContain('127.0.0.1');
    expect(JSON.stringify([await result, notes])).not.toContain(key);
  });

  it('does not run where the person said no', async () => {
    const { result, handler } = await offer('a b c', { decide: 'deny' });
    await expect(result).rejects.toMatchObject({ name: 'ToolError' });
    expect(handler).not.toHaveBeenCalled();
  });

  it('arguments that the skill’s own schema refuses come back as that', async () => {
    const { result } = await offer('x'.repeat(2_000), { decide: 'allow' });
    await expect(result).rejects.toMatchObject({ reason: 'TOOL_INVALID_ARGUMENTS' });
  });
});
