import {
  hashCanonical,
  hashManifest,
  type Json,
  type JsonObject,
  type Manifest,
  type Sensitivity,
} from '@parley/documents';
import type { Executor } from '../src/executors/types.ts';
import type { Approval } from '../src/guard/approval.ts';
import type { Call, GuardRelation, GuardState } from '../src/guard/decide.ts';
import { type VerifiedManifest, verifyManifest } from '../src/guard/verified-manifest.ts';

export const AGENT = '018f0000-0000-7000-8000-00000000000a';
export const CONVERSATION = '018f0000-0000-7000-8000-00000000000c';
export const NOW = Date.parse('2026-03-01T12:00:00.000Z');
export const KEY = 'A'.repeat(43);

const scope = (id: string, sensitivity: Sensitivity) => ({
  id,
  label_i18n_key: `scope.${id}`,
  label_fallback: id,
  sensitivity,
});
const tool = (name: string, permission_scope: string, more: Partial<Manifest['tools'][number]> = {}) => ({
  name,
  description_i18n_key: `tool.${name}`,
  description_fallback: { en: `Does ${name}`, 'zh-CN': `执行 ${name}` },
  input_schema: {
    type: 'object',
    properties: { text: { type: 'string', maxLength: 2_000 } },
    required: ['text'],
    additionalProperties: false,
  } as JsonObject,
  permission_scope,
  ...more,
});

export const MANIFEST: Manifest = {
  schema_version: '1.0',
  agent_version: '1.0.0',
  tools: [
    tool('say_low', 'note:low'),
    tool('say_medium', 'note:medium'),
    tool('say_high', 'note:high', { timeout_ms: 2_000 }),
  ],
  permission_scopes: [scope('note:low', 'low'), scope('note:medium', 'medium'), scope('note:high', 'high')],
};

/** A change that is not breaking. */
export const describedAs = (level: string, text: string, agent_version: string): Manifest => ({
  ...MANIFEST,
  agent_version,
  tools: MANIFEST.tools.map((tool) => (tool.name === `say_${level}` ? { ...tool, description_fallback: text } : tool)),
});
/** A breaking one. */
export const withRequired = (level: string, agent_version: string): Manifest => ({
  ...MANIFEST,
  agent_version,
  tools: MANIFEST.tools.map((tool) =>
    tool.name === `say_${level}`
      ? {
          ...tool,
          input_schema: {
            ...tool.input_schema,
            properties: { text: { type: 'string' }, to: { type: 'string' } },
            required: ['text', 'to'],
          },
        }
      : tool,
  ),
});

export function held(manifest: Manifest = MANIFEST): VerifiedManifest {
  return verifyManifest(manifest, hashManifest(manifest as unknown as Json), AGENT)!;
}

export const makeExecutor = (name: string, scopeId: string, more: Partial<Executor> = {}): Executor => ({
  tool: name,
  scope: scopeId,
  run: async (args) => ({ said: args.text ?? null }),
  ...more,
});
export const EXECUTORS = [
  makeExecutor('say_low', 'note:low'),
  makeExecutor('say_medium', 'note:medium'),
  makeExecutor('say_high', 'note:high'),
];
export const finder = (executors: readonly Executor[]) => (name: string, scopeId: string) =>
  executors.find((executor) => executor.tool === name && executor.scope === scopeId);

export function makeCall(level: Sensitivity, change: Partial<Call> = {}): Call {
  const args = change.arguments ?? { text: 'hello' };
  return {
    callId: 'call-1',
    conversationId: CONVERSATION,
    conversationKind: 'h2a',
    agentId: AGENT,
    toolName: `say_${level}`,
    arguments: args,
    argumentsDigest: hashCanonical(args),
    permissionScope: `note:${level}`,
    timeoutMs: 60_000,
    expiresAt: NOW + 60_000,
    ...change,
  };
}

export const RELATION: GuardRelation = {
  agentId: AGENT,
  conversationId: CONVERSATION,
  granted: new Map([
    ['note:low', 'low'],
    ['note:medium', 'medium'],
    ['note:high', 'high'],
  ]),
  once: new Set(['note:low', 'note:medium', 'note:high']),
  pending: new Set(),
  epochs: new Map([
    ['note:low', 1],
    ['note:medium', 1],
    ['note:high', 1],
  ]),
  identityKey: KEY,
};

export function makeState(change: Partial<GuardState> = {}): GuardState {
  const manifest = 'manifest' in change ? change.manifest : held();
  return {
    now: NOW,
    relation: RELATION,
    manifest,
    announcedHash: manifest?.hash ?? null,
    findExecutor: finder(EXECUTORS),
    windows: new Map(),
    denials: new Set(),
    questionStops: new Map(),
    ...change,
  };
}

export function makeApproval(call: Call, change: Partial<Approval> = {}): Approval {
  const manifest = held();
  const found = manifest.tools.get(call.toolName);
  return {
    callId: call.callId,
    conversationId: call.conversationId,
    argumentsDigest: call.argumentsDigest,
    edge: undefined,
    manifestHash: manifest.hash,
    toolDigest: found?.digest ?? '',
    level: found?.level ?? 'low',
    remember: 'tool',
    expiresAt: NOW + 1_000,
    used: false,
    ...change,
  };
}
