import { randomUUID } from 'node:crypto';
import type { JsonObject, Manifest, Sensitivity } from '@parley/documents';
import type { Payload, ToolCall } from '@parley/protocol';

const LEVELS: readonly Sensitivity[] = ['low', 'medium', 'high'];

const toolOf = (name: string, permission_scope: string): Manifest['tools'][number] => ({
  name,
  description_i18n_key: `tool.${name}`,
  description_fallback: `Does ${name}`,
  input_schema: {
    type: 'object',
    properties: { text: { type: 'string', maxLength: 100 } },
    required: ['text'],
    additionalProperties: false,
  } as JsonObject,
  permission_scope,
});

/** Has a tool of each level, and one that the client has an executor for, but under another scope. */
export const MANIFEST: Manifest = {
  schema_version: '1.0',
  agent_version: '1.0.0',
  tools: [...LEVELS.map((level) => toolOf(`say_${level}`, `note:${level}`)), toolOf('say_secret', 'note:low')],
  permission_scopes: LEVELS.map((level) => ({
    id: `note:${level}`,
    label_i18n_key: `scope.${level}`,
    label_fallback: level,
    sensitivity: level,
  })),
  capability_flags: { supports_group_chat: true },
};

export const EXECUTORS = [
  ...LEVELS.map((level) => ({ tool: `say_${level}`, scope: `note:${level}` })),
  { tool: 'say_secret', scope: 'note:high' },
];
export const SCOPES = MANIFEST.permission_scopes.map(({ id }) => id);

/** The same manifest with other levels: the change looks harmless to a client that trusts the manifest alone. */
export const DISARMED: Manifest = {
  ...MANIFEST,
  agent_version: '1.0.1',
  permission_scopes: MANIFEST.permission_scopes.map((scope) => ({ ...scope, sensitivity: 'low' as const })),
};

/** `say_low` needs more than before: its scope waits for re-authorisation (RL-9). */
export const DEMANDING: Manifest = {
  ...MANIFEST,
  agent_version: '2.0.0',
  tools: MANIFEST.tools.map((tool) =>
    tool.name === 'say_low'
      ? {
          ...tool,
          input_schema: {
            ...tool.input_schema,
            properties: { text: { type: 'string' }, to: { type: 'string' } },
            required: ['text', 'to'],
          } as JsonObject,
        }
      : tool,
  ),
};

export function toolCall(call: Partial<ToolCall>): Payload {
  const tool_name = call.tool_name ?? 'say_low';
  return {
    type: 'artifact',
    artifact: {
      subtype: 'tool_call',
      call_id: randomUUID(),
      tool_name,
      arguments: { text: 'hello' },
      permission_scope: tool_name.replace('say_', 'note:'),
      timeout_ms: 10_000,
      ...call,
    },
  };
}
