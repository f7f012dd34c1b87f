import { randomUUID } from 'node:crypto';
import { createWebhookHandler, WebhookAgent } from '@parley/agent/webhook';
import type { Executor } from '@parley/client';
import type { JsonObject, Manifest, Sensitivity } from '@parley/documents';
import { createMemoryStore } from '@parley/messenger';
import type { ToolCall, ToolResponse } from '@parley/protocol';
import { webhookRoutes } from '@parley/protocol';
import { startTestServer, startWebhookHost, type TestServer, type WebhookHost } from '@parley/testkit/live';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Household } from './household.ts';

const scope = (id: string, sensitivity: Sensitivity) => ({
  id,
  label_i18n_key: `scope.${id}`,
  label_fallback: id,
  sensitivity,
});
const tool = (name: string, permission_scope: string): Manifest['tools'][number] => ({
  name,
  description_i18n_key: `tool.${name}`,
  description_fallback: name,
  input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } as JsonObject,
  permission_scope,
});
const MANIFEST: Manifest = {
  schema_version: '1.0',
  agent_version: '1.0.0',
  tools: [
    tool('say_low', 'note:low'),
    tool('say_medium', 'note:medium'),
    tool('say_high', 'note:high'),
    tool('say_nowhere', 'note:low'),
  ],
  permission_scopes: [scope('note:low', 'low'), scope('note:medium', 'medium'), scope('note:high', 'high')],
  capability_flags: { supports_group_chat: true },
};

let server: TestServer;
let home: Household;
let agent: WebhookAgent;
let host: WebhookHost;
let conversationId: string;
let relationId: string;
/** What the tools do. */
let act: (args: JsonObject) => Promise<JsonObject>;

const executors: Executor[] = ['low', 'medium', 'high'].map((level) => ({
  tool: `say_${level}`,
  scope: `note:${level}`,
  run: (args) => act(args),
}));

beforeAll(async () => {
  server = await startTestServer();
  home = await Household.move(server, executors);
  const account = await home.createAgent(MANIFEST);
  host = await startWebhookHost();
  const endpoint = host.endpoint(account.agentId);
  const { secret } = await home.device.api.call(webhookRoutes.putWebhook, {
    params: { agent_id: account.agentId },
    body: { url: endpoint.url },
  });
  agent = await WebhookAgent.init({
    ...account,
    baseUrl: server.url,
    webhookSecret: secret!,
    keystore: createMemoryStore(),
  });
  endpoint.handler = createWebhookHandler(agent);
  ({ conversationId, relationId } = await home.add(account.agentId));
});
beforeEach(() => {
  act = async ({ text }) => ({ said: text ?? null });
  home.decide = (prompt) => prompt.allow();
});
afterAll(async () => {
  await agent?.disconnect();
  await home?.client.close();
  await host?.close();
  await server?.drop();
});

/** A call as an agent may write it, whatever the SDK would say about it, and what came back through the handler. */
async function ask(call: Partial<ToolCall>, where = conversationId): Promise<Partial<ToolResponse>> {
  const call_id = randomUUID();
  const tool_name = call.tool_name ?? 'say_low';
  const answered = new Promise<Partial<ToolResponse>>((resolve) => {
    agent.addEventHandler((event) => {
      if (event.type !== 'artifact_response' || event.artifact.subtype !== 'tool_response') return;
      if (event.artifact.call_id === call_id) resolve(event.artifact);
    });
  });
  await agent.sendArtifact(where, {
    subtype: 'tool_call',
    call_id,
    tool_name,
    arguments: { text: 'hello' },
    permission_scope: tool_name.replace('say_', 'note:'),
    timeout_ms: 10_000,
    ...call,
  });
  return answered;
}

describe('every row of the status and reason tables, through a webhook', () => {
  it('TC-4 ok, for each level', async () => {
    for (const tool_name of ['say_low', 'say_medium', 'say_high']) {
      expect(await ask({ tool_name })).toMatchObject({ status: 'ok', result: { said: 'hello' } });
    }
    expect(home.asked.map(({ level }) => level)).toEqual(['medium', 'high']);
  });

  it('TC-4 denied / user_refused', async () => {
    home.decide = (prompt) => prompt.deny();
    expect(await ask({ tool_name: 'say_high' })).toMatchObject({ status: 'denied', reason: 'user_refused' });
  });

  it('TC-4 denied / user_timeout', async () => {
    const expires_at = new Date(Date.now() - 1_000).toISOString();
    expect(await ask({ expires_at })).toMatchObject({ status: 'denied', reason: 'user_timeout' });
  });

  it('TC-4 denied / tool_not_declared', async () => {
    const answer = await ask({ tool_name: 'format_disk', permission_scope: 'note:low' });
    expect(answer).toMatchObject({ status: 'denied', reason: 'tool_not_declared' });
  });

  it('TC-4 denied / scope_not_granted', async () => {
    const answer = await ask({ tool_name: 'say_high', permission_scope: 'note:low' });
    expect(answer).toMatchObject({ status: 'denied', reason: 'scope_not_granted' });
  });

  it('TC-4 denied / tool_not_supported_in_group', async () => {
    const group = await home.device.conversations.startGroup('Friends', [{ kind: 'agent', id: agent.agentId }]);
    expect(await ask({}, group)).toMatchObject({ status: 'denied', reason: 'tool_not_supported_in_group' });
  });

  it('TC-5 error / TOOL_INVALID_ARGUMENTS', async () => {
    const answer = await ask({ arguments: { text: 7 } });
    expect(answer).toMatchObject({ status: 'error', reason: 'TOOL_INVALID_ARGUMENTS' });
  });

  it('TC-5 error / TOOL_UNAVAILABLE', async () => {
    const answer = await ask({ tool_name: 'say_nowhere', permission_scope: 'note:low' });
    expect(answer).toMatchObject({ status: 'error', reason: 'TOOL_UNAVAILABLE' });
  });

  it('TC-5 error / TOOL_PLATFORM_ERROR', async () => {
    act = () => Promise.reject(new Error('secret detail'));
    const answer = await ask({});
    expect(answer).toMatchObject({ status: 'error', reason: 'TOOL_PLATFORM_ERROR' });
    expect(JSON.stringify(answer)).not.toContain('secret detail');
  });

  it('TC-5 error / tool_timeout', async () => {
    act = () => new Promise(() => {});
    expect(await ask({ timeout_ms: 1 })).toMatchObject({ status: 'error', reason: 'tool_timeout' });
  });

  it('CG-3 revocation while a call is pending, then denied / permission_revoked', async () => {
    let revoked: Promise<void> | undefined;
    home.decide = () => {
      revoked = home.device.relations.revokeScope(relationId, 'note:high');
    };
    expect(await ask({ tool_name: 'say_high' })).toMatchObject({ status: 'denied', reason: 'permission_revoked' });
    expect(await ask({ tool_name: 'say_high' })).toMatchObject({ status: 'denied', reason: 'permission_revoked' });
    await revoked;
  });
});
