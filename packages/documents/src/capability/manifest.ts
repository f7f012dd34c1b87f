import type { XStatic } from 'typebox/schema';
import type { JsonObject } from '../json/value.ts';
import { JSON_SCHEMA } from '../schema/published.ts';

// The shape of a capability manifest, written once, as JSON Schema: the types, the validator's field checks and the
// published file are derived from it. Of TypeBox only the type inference is used: its builders would have to be loaded
// at run time (some 100 ms for a command line tool) to give the same objects.

export const SUPPORTED_VERSION = '1.0';
export const TIMEOUT_MS = { min: 1, max: 600_000, default: 10_000 } as const;
export const SENSITIVITIES = ['low', 'medium', 'high'] as const;

const TEXT = {
  anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: { type: 'string' } }],
} as const;

const FLAG = { type: 'boolean', default: false } as const;

export const TOOL_SCHEMA = {
  title: 'Tool',
  description: 'Something the agent may ask the device of its user to run.',
  type: 'object',
  required: ['name', 'description_i18n_key', 'input_schema', 'permission_scope'],
  properties: {
    name: {
      description: 'Unique in the manifest: 2 to 32 lower-case letters, digits and underscores, a letter first.',
      type: 'string',
      pattern: '^[a-z][a-z0-9_]{1,31}$',
      examples: ['read_file'],
    },
    description_i18n_key: {
      description: 'The i18n key of the sentence that tells a person what the tool does.',
      type: 'string',
      minLength: 1,
    },
    description_fallback: {
      description: 'That sentence itself, for clients without the key: one text, or one per locale.',
      examples: [{ en: 'Reads a file you name', 'zh-CN': '读取您指定的文件' }],
      ...TEXT,
    },
    input_schema: {
      description:
        'JSON Schema (draft 2020-12 or, with $schema, 2019-09 or draft-07) of the arguments. Close it with "additionalProperties": false.',
      type: 'object',
      required: ['type'],
      properties: { type: { const: 'object' } },
      allOf: [JSON_SCHEMA],
    },
    permission_scope: {
      description: 'The id of the entry of permission_scopes that the tool runs under.',
      type: 'string',
    },
    required: {
      description: 'Whether the scope of this tool cannot be left out when the agent is added.',
      type: 'boolean',
      default: false,
    },
    timeout_ms: {
      description: 'How long one call may run, in milliseconds.',
      type: 'integer',
      minimum: TIMEOUT_MS.min,
      maximum: TIMEOUT_MS.max,
      default: TIMEOUT_MS.default,
    },
  },
} as const;

export const SCOPE_SCHEMA = {
  title: 'Permission scope',
  description: 'What a person grants or refuses. Tools run under a scope.',
  type: 'object',
  required: ['id', 'label_i18n_key', 'sensitivity'],
  properties: {
    id: {
      description:
        'Unique in the manifest, by convention <domain>:<action> in lower case. hashee: and system: belong to the platform.',
      type: 'string',
      pattern: '^\\S{1,128}$',
      not: { pattern: '^(hashee|system):' },
      examples: ['notification:send', 'filesystem:read', 'clipboard:read', 'location:read', 'network:http'],
    },
    label_i18n_key: {
      description: 'The i18n key of the name of the scope.',
      type: 'string',
      minLength: 1,
    },
    label_fallback: {
      description: 'That name itself, for clients without the key: one text, or one per locale.',
      examples: [{ en: 'Fetch web pages', 'zh-CN': '访问网页' }],
      ...TEXT,
    },
    description_i18n_key: {
      description: 'The i18n key of a longer explanation.',
      type: 'string',
      minLength: 1,
    },
    description_fallback: {
      description: 'That explanation itself, for clients without the key: one text, or one per locale.',
      ...TEXT,
    },
    sensitivity: {
      description:
        'low: runs without asking. medium: asks, then runs silently in that conversation on that device until 24 hours pass without use. high: asks every time.',
      type: 'string',
      enum: SENSITIVITIES,
    },
  },
} as const;

export const FLAGS_SCHEMA = {
  title: 'Capability flags',
  description: 'What the agent can do in a conversation.',
  type: 'object',
  properties: {
    supports_streaming: { description: 'Its answers appear while they are written.', ...FLAG },
    supports_artifacts: { description: 'It sends and updates artifacts.', ...FLAG },
    supports_voice: { description: 'It understands and sends voice.', ...FLAG },
    supports_group_chat: { description: 'It may join group conversations.', ...FLAG },
  },
} as const;

/** The fields of a manifest with their bounds (CM-1, CM-2, CM-3, CM-5). */
export const MANIFEST_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:parley:schema:capability-manifest:1.0',
  title: 'Capability manifest',
  description: 'Which tools an agent asks the device of its user to run, and under which permission scopes.',
  type: 'object',
  required: ['schema_version', 'agent_version', 'tools', 'permission_scopes'],
  properties: {
    $schema: { description: 'Where this schema lies, for completion in an editor.', type: 'string' },
    schema_version: {
      description: 'The version of the manifest format.',
      type: 'string',
      const: SUPPORTED_VERSION,
    },
    agent_version: {
      description: 'The version of the agent, SemVer 2.0.0.',
      type: 'string',
      pattern:
        '^(0|[1-9]\\d*)(\\.(0|[1-9]\\d*)){2}(-(?!0\\d+(\\.|\\+|$))[\\dA-Za-z-]+(\\.(?!0\\d+(\\.|\\+|$))[\\dA-Za-z-]+)*)?(\\+[\\dA-Za-z-]+(\\.[\\dA-Za-z-]+)*)?$',
      examples: ['1.0.0'],
    },
    tools: { description: 'May be empty.', type: 'array', items: TOOL_SCHEMA },
    permission_scopes: { description: 'May be empty.', type: 'array', items: SCOPE_SCHEMA },
    capability_flags: FLAGS_SCHEMA,
  },
} as const;

export type Sensitivity = (typeof SENSITIVITIES)[number];
export type PermissionScope = XStatic<typeof SCOPE_SCHEMA>;
export type Tool = Omit<XStatic<typeof TOOL_SCHEMA>, 'input_schema'> & { input_schema: JsonObject };
export type CapabilityFlag = keyof typeof FLAGS_SCHEMA.properties;
export type Manifest = Omit<XStatic<typeof MANIFEST_SCHEMA>, 'tools'> & { tools: Tool[] };
