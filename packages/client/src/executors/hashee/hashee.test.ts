import { readFileSync } from 'node:fs';
import { compareSensitivity, type JsonObject, type Manifest, validateManifest } from '@parley/documents';
import { ApiError } from '@parley/messenger';
import { type RouteContract, SYSTEM_AGENT_ID } from '@parley/protocol';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ExecutionContext, ExecutorError } from '../types.ts';
import { hasheeExecutors, type NewSecret } from './index.ts';

const file = new URL('../../../../system-agent/manifest.json', import.meta.url);
const MANIFEST = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
const ME = '018f0000-0000-7000-8000-000000000001';
const BOT = '018f0000-0000-7000-8000-0000000000b0';
const TOKEN = `hsk_${'s'.repeat(40)}`;
const CONTEXT: ExecutionContext = { signal: new AbortController().signal, locale: 'en', enter: async () => {} };

let shown: NewSecret[];
let called: { route: string; input: JsonObject }[];
let replies: Record<string, unknown>;
beforeEach(() => {
  shown = [];
  called = [];
  replies = {
    'GET /agents/:agent_id': {
      agent_id: BOT,
      name: 'Bot',
      owner: { user_id: ME },
      capability_manifest: { x: 1 },
      capability_manifest_version: 3,
      capability_manifest_hash: 'a'.repeat(64),
      connection_mode: 'websocket',
    },
    'POST /agents/:agent_id/tokens': { token: TOKEN, token_id: 't' },
    'POST /agents': { agent_id: BOT, name: 'Bot', token: TOKEN },
    'PUT /agents/:agent_id/webhook': { url: 'https://bot.example/hook', secret: 'whsec_secret' },
    'PATCH /agents/:agent_id': {
      capability_manifest_version: 4,
      capability_manifest_hash: 'b'.repeat(64),
      breaking_changes: [{}],
      warnings: [],
    },
  };
});

const call = async ({ method, path }: RouteContract, input: unknown) => {
  called.push({ route: `${method} ${path}`, input: input as JsonObject });
  const reply = replies[`${method} ${path}`];
  if (reply instanceof Error) throw reply;
  return reply as never;
};
const executors = hasheeExecutors({
  api: { call: call as never },
  accountId: ME,
  showSecret: (one) => shown.push(one),
});
const run = (tool: string, args: JsonObject = {}) => executors.find((one) => one.tool === tool)!.run(args, CONTEXT);
const NAMED = { agent_id: BOT, agent_name: 'Bot' };

describe('SA-2 what the device does for Hashee', () => {
  it('CM-10 the manifest is valid for the platform alone, and each tool has an executor for its scope and agent', () => {
    expect(validateManifest(MANIFEST, { platform: true }).findings).toEqual([]);
    expect(validateManifest(MANIFEST).valid).toBe(false);
    for (const tool of MANIFEST.tools) {
      const executor = executors.find((one) => one.tool === tool.name && one.scope === tool.permission_scope);
      expect(executor?.agentId, tool.name).toBe(SYSTEM_AGENT_ID);
    }
    expect(executors).toHaveLength(MANIFEST.tools.length);
  });

  it('CG-6 whatever changes something asks each time, by the executor’s own floor', () => {
    const levels = new Map(MANIFEST.permission_scopes.map(({ id, sensitivity }) => [id, sensitivity]));
    for (const { tool, scope, sensitivity = 'low' } of executors) {
      const reads = ['list_my_agents', 'get_agent', 'list_relations'].includes(tool);
      expect(sensitivity, tool).toBe(reads ? 'low' : 'high');
      expect(compareSensitivity(levels.get(scope)!, sensitivity), tool).toBe(0);
    }
  });

  it.each([
    ['rotate_token', NAMED],
    ['create_agent', { name: 'Bot' }],
    ['set_webhook', { ...NAMED, url: 'https://bot.example/hook' }],
  ])('SA-2 %s: the secret is shown here and is not in the answer', async (tool, args) => {
    const result = JSON.stringify(await run(tool, args));
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatchObject({ agentId: BOT, agentName: 'Bot' });
    expect(result).not.toContain(shown[0]!.secret);
    expect(result).not.toMatch(/hsk_|whsec_/);
  });

  it.each(['get_agent', 'update_manifest', 'rotate_token', 'set_webhook'])(
    'SA-2 attack: %s for an agent of someone else does nothing',
    async (tool) => {
      replies['GET /agents/:agent_id'] = { ...(replies['GET /agents/:agent_id'] as object), owner: { user_id: 'eve' } };
      const more = { update_manifest: { manifest: {} }, set_webhook: { url: 'https://x.example/' } }[tool] ?? {};
      const args = tool === 'get_agent' ? { agent_id: BOT } : { ...NAMED, ...more };
      await expect(run(tool, args)).rejects.toThrow('You have no agent with this id.');
      expect(called.map(({ route }) => route)).toEqual(['GET /agents/:agent_id']);
    },
  );

  it('CG-10 attack: a call that names another agent than it changes is refused', async () => {
    await expect(run('rotate_token', { ...NAMED, agent_name: 'Harmless' })).rejects.toThrow('another name');
    expect(shown).toEqual([]);
  });

  it('RL-4 an update is for the manifest that was compared; another one meanwhile is told, not overwritten', async () => {
    const update = { ...NAMED, manifest: { y: 2 }, if_match: 'a'.repeat(64) };
    expect(await run('update_manifest', update)).toMatchObject({
      updated: true,
      manifest_version: 4,
      breaking_changes: 1,
    });
    expect(called.at(-1)!.input).toMatchObject({ headers: { 'if-match': `"${'a'.repeat(64)}"` } });
    replies['PATCH /agents/:agent_id'] = new ApiError({ status: 412, code: 'PRECONDITION_FAILED', message: 'x' });
    expect(await run('update_manifest', update)).toEqual({ updated: false, reason: 'changed_meanwhile' });
    const { if_match: _, ...first } = update;
    expect(await run('update_manifest', first)).toEqual({ updated: false, reason: 'changed_meanwhile' });
  });

  it('CG-8 the server’s refusal is told in its own words; arguments that do not fit are none', async () => {
    replies['PATCH /agents/:agent_id'] = new ApiError({ status: 422, code: 'MANIFEST_INVALID', message: 'Not valid.' });
    const update = { ...NAMED, manifest: {}, if_match: 'a'.repeat(64) };
    await expect(run('update_manifest', update)).rejects.toThrow(new ExecutorError('Not valid.'));
    await expect(run('rotate_token', { agent_id: BOT })).rejects.toMatchObject({ code: 'TOOL_INVALID_ARGUMENTS' });
    await expect(run('list_my_agents', { all: true })).rejects.toMatchObject({ code: 'TOOL_INVALID_ARGUMENTS' });
  });

  it('CG-10 the prompt says what happens to whom, in both languages', () => {
    for (const executor of executors.filter(({ sensitivity }) => sensitivity === 'high')) {
      const args = { ...NAMED, url: 'https://bot.example/hook' };
      const en = executor.privacyNote!(args, 'en')!;
      expect(executor.privacyNote!(args, 'zh-CN')).toMatch(/\p{Script=Han}/u);
      if (executor.tool !== 'create_agent') expect(en).toContain('Bot');
      if (executor.tool === 'set_webhook') expect(en).toContain('bot.example');
    }
  });
});
