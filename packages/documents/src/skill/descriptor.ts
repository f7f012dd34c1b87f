import type { XStatic } from 'typebox/schema';
import type { Json, JsonObject } from '../json/value.ts';
import { JSON_SCHEMA } from '../schema/published.ts';

// The shape of a skill descriptor (SD-1…3) is written once, as JSON Schema, like the manifest's.

const CAPABILITY_TYPES = ['plugin', 'api', 'knowledge', 'task'] as const;
export const ACCESS_POLICIES = ['public', 'restricted', 'private'] as const;
const AUTH_TYPES = ['api_key', 'oauth2', 'custom', 'none'] as const;
const PARAMETER_PLACES = ['header', 'cookie', 'query'] as const;
const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE', 'GET'] as const;
export const INPUT_TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'] as const;

export const ENDPOINT_DEFAULTS = {
  method: 'POST',
  content_type: 'application/json',
  timeout_ms: 30_000,
  max_attempts: 3,
  backoff_ms: 1_000,
} as const;

const URL_FIELD = { type: 'string', format: 'uri', maxLength: 2_048 } as const;
const SHORT = { type: 'string', minLength: 1, maxLength: 200 } as const;
const LONG = { type: 'string', minLength: 1, maxLength: 10_000 } as const;
const TIME = { type: 'string', maxLength: 64 } as const;
const MEDIA_TYPE = { type: 'string', minLength: 3, maxLength: 200 } as const;
const SEMVER = {
  type: 'string',
  maxLength: 128,
  pattern: '^\\d+\\.\\d+\\.\\d+(-[\\dA-Za-z.-]+)?(\\+[\\dA-Za-z.-]+)?$',
  examples: ['1.0.0'],
} as const;

export const PROTOCOL_SCHEMA = {
  title: 'Protocol version',
  type: 'object',
  required: ['version'],
  properties: {
    version: { description: 'Of the protocol, SemVer 2.0.0. Equal majors understand each other.', ...SEMVER },
    changelog_url: { description: 'What changed between protocol versions.', ...URL_FIELD },
  },
} as const;

export const PROVIDER_SCHEMA = {
  title: 'Provider',
  type: 'object',
  required: ['name'],
  properties: {
    name: { description: 'Who offers the skill.', ...SHORT },
    url: { description: 'A page about the provider.', ...URL_FIELD },
    contact: { description: 'An address or a page for questions.', ...SHORT },
  },
} as const;

const RETRY_SCHEMA = {
  title: 'Retry',
  description: 'For failures where repeating is safe.',
  type: 'object',
  required: [],
  properties: {
    max_attempts: {
      description: 'All attempts, the first one counted.',
      type: 'integer',
      minimum: 1,
      maximum: 10,
      default: ENDPOINT_DEFAULTS.max_attempts,
    },
    backoff_ms: {
      description: 'The first wait; each further one is twice as long.',
      type: 'integer',
      minimum: 0,
      maximum: 60_000,
      default: ENDPOINT_DEFAULTS.backoff_ms,
    },
  },
} as const;

const ENDPOINT_SCHEMA = {
  title: 'Invocation endpoint',
  type: 'object',
  required: ['url'],
  properties: {
    url: { description: 'Where the skill is invoked, https.', ...URL_FIELD },
    method: { description: 'How.', type: 'string', enum: METHODS, default: ENDPOINT_DEFAULTS.method },
    content_type: { description: 'Of the request.', default: ENDPOINT_DEFAULTS.content_type, ...MEDIA_TYPE },
    status_url: {
      description: 'Where an execution is watched. {execution_id} stands for its id; without it the id is appended.',
      type: 'string',
      maxLength: 2_048,
    },
    result_url: {
      description: 'Where the result is fetched. {execution_id} stands for its id; without it the id is appended.',
      type: 'string',
      maxLength: 2_048,
    },
    timeout_ms: {
      description: 'How long an invocation may take altogether, in milliseconds.',
      type: 'integer',
      minimum: 1,
      maximum: 600_000,
      default: ENDPOINT_DEFAULTS.timeout_ms,
    },
    retry: RETRY_SCHEMA,
  },
} as const;

export const INPUT_SCHEMA = {
  title: 'Parameter',
  type: 'object',
  required: ['name', 'type', 'description', 'required'],
  properties: {
    name: {
      description: 'Unique in the descriptor: 1 to 128 printable characters without spaces.',
      type: 'string',
      minLength: 1,
      maxLength: 128,
    },
    type: { description: 'A type name of JSON Schema.', type: 'string', enum: INPUT_TYPES },
    description: { description: 'What to put there.', type: 'string', maxLength: 10_000 },
    required: { description: 'Whether an invocation must bring it.', type: 'boolean' },
    default: { description: 'Used where it is left out. null on a required parameter means none.' },
    schema: {
      description: 'JSON Schema (draft 2020-12 or, with $schema, 2019-09 or draft-07) that a value must also satisfy.',
      type: 'object',
      allOf: [JSON_SCHEMA],
    },
  },
} as const;

const OUTPUT_SCHEMA = {
  title: 'Output',
  type: 'object',
  required: ['content_type'],
  properties: {
    content_type: { description: 'The media type of what comes back.', ...MEDIA_TYPE },
    schema: {
      description: 'JSON Schema (draft 2020-12 or, with $schema, 2019-09 or draft-07) of what comes back.',
      type: 'object',
      allOf: [JSON_SCHEMA],
    },
    description: { description: 'What it is.', type: 'string', maxLength: 10_000 },
  },
} as const;

const OAUTH2_SCHEMA = {
  title: 'OAuth 2.0',
  type: 'object',
  required: ['authorization_url', 'token_url', 'scopes'],
  properties: {
    authorization_url: { description: 'Where a person allows the use.', ...URL_FIELD },
    token_url: { description: 'Where tokens are fetched.', ...URL_FIELD },
    scopes: {
      description: 'What may be asked for: name → description.',
      type: 'object',
      additionalProperties: { type: 'string' },
    },
  },
} as const;

const AUTH_PARAMETER_SCHEMA = {
  title: 'Authentication parameter',
  type: 'object',
  required: ['name', 'in'],
  properties: {
    name: { description: 'Of the header or cookie; unique in the list.', type: 'string', minLength: 1, maxLength: 128 },
    in: {
      description: 'Where it travels. Consumers put no credential in a URL, so that "query" is not sent by them.',
      type: 'string',
      enum: PARAMETER_PLACES,
    },
    required: { description: 'Whether a request without it is refused.', type: 'boolean', default: false },
    description: { description: 'What to put there.', type: 'string', maxLength: 10_000 },
  },
} as const;

const CUSTOM_AUTH_SCHEMA = {
  title: 'Custom authentication',
  type: 'object',
  required: ['instructions'],
  properties: {
    instructions: { description: 'What a consumer must do to sign a request.', ...LONG },
    parameters: {
      description: "What it needs for that: an object of the provider's own, or a list of headers and cookies.",
      anyOf: [{ type: 'object' }, { type: 'array', maxItems: 32, items: AUTH_PARAMETER_SCHEMA }],
    },
  },
} as const;

const AUTH_SCHEMA = {
  title: 'Authentication',
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: AUTH_TYPES },
    description: { description: 'For people.', type: 'string', maxLength: 10_000 },
    header: {
      description: 'With api_key: the request header that carries the key.',
      type: 'string',
      minLength: 1,
      maxLength: 128,
      examples: ['X-API-Key'],
    },
    oauth2: OAUTH2_SCHEMA,
    custom: CUSTOM_AUTH_SCHEMA,
  },
  allOf: [
    {
      if: { properties: { type: { const: 'api_key' } } },
      then: { properties: { header: true }, required: ['header'] },
    },
    { if: { properties: { type: { const: 'oauth2' } } }, then: { properties: { oauth2: true }, required: ['oauth2'] } },
    { if: { properties: { type: { const: 'custom' } } }, then: { properties: { custom: true }, required: ['custom'] } },
  ],
} as const;

export const DESCRIPTOR_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:parley:schema:skill-descriptor:1.0',
  title: 'Skill descriptor',
  description: 'How a remote capability is found and called.',
  type: 'object',
  required: [
    'protocol',
    'id',
    'name',
    'version',
    'capability_type',
    'description',
    'provider',
    'endpoint',
    'inputs',
    'output',
    'auth',
    'access',
  ],
  properties: {
    $schema: { description: 'Where this schema lies, for completion in an editor.', type: 'string' },
    protocol: PROTOCOL_SCHEMA,
    id: {
      description: 'Unique, by convention a reversed domain and a name: 1 to 128 printable characters.',
      type: 'string',
      minLength: 1,
      maxLength: 128,
      pattern: '^[^\\s/\\\\?#%]+$',
      examples: ['com.example.translate'],
    },
    name: { description: 'For people.', ...SHORT },
    version: { description: 'Of the skill, SemVer 2.0.0.', ...SEMVER },
    capability_type: {
      description:
        'plugin: a module to embed. api: a remote service. knowledge: a structured resource. task: a person or agent does it.',
      type: 'string',
      enum: CAPABILITY_TYPES,
    },
    description: { description: 'What the skill does.', ...LONG },
    provider: PROVIDER_SCHEMA,
    endpoint: ENDPOINT_SCHEMA,
    inputs: { description: 'May be empty.', type: 'array', maxItems: 256, items: INPUT_SCHEMA },
    output: OUTPUT_SCHEMA,
    auth: AUTH_SCHEMA,
    access: {
      description:
        'public: anyone finds and calls it. restricted: anyone finds it. private: only the owner and whom the owner entitled.',
      type: 'string',
      enum: ACCESS_POLICIES,
    },
    tags: {
      description: 'For search.',
      type: 'array',
      maxItems: 50,
      items: { type: 'string', minLength: 1, maxLength: 64 },
    },
    documentation_url: { description: 'For people.', ...URL_FIELD },
    created_at: { description: 'ISO 8601.', ...TIME },
    updated_at: { description: 'ISO 8601.', ...TIME },
  },
} as const;

export type CapabilityType = (typeof CAPABILITY_TYPES)[number];
export type AccessPolicy = (typeof ACCESS_POLICIES)[number];
export type AuthType = (typeof AUTH_TYPES)[number];
export type InputType = (typeof INPUT_TYPES)[number];

export type SkillProvider = XStatic<typeof PROVIDER_SCHEMA>;
export type SkillEndpoint = XStatic<typeof ENDPOINT_SCHEMA>;

export interface SkillInput {
  name: string;
  type: InputType;
  description: string;
  required: boolean;
  default?: Json;
  schema?: JsonObject;
}

export interface SkillOutput {
  content_type: string;
  schema?: JsonObject;
  description?: string;
}

export interface AuthParameter {
  name: string;
  in: (typeof PARAMETER_PLACES)[number];
  required?: boolean;
  description?: string;
}

export interface SkillAuth {
  type: AuthType;
  description?: string;
  header?: string;
  oauth2?: { authorization_url: string; token_url: string; scopes: Readonly<Record<string, string>> };
  custom?: { instructions: string; parameters?: JsonObject | readonly AuthParameter[] };
}

/** A valid descriptor as its author wrote it: no defaults are filled in. */
export interface SkillDescriptor {
  protocol: { version: string; changelog_url?: string };
  id: string;
  name: string;
  version: string;
  capability_type: CapabilityType;
  description: string;
  provider: SkillProvider;
  endpoint: SkillEndpoint;
  inputs: SkillInput[];
  output: SkillOutput;
  auth: SkillAuth;
  access: AccessPolicy;
  tags?: string[];
  documentation_url?: string;
  created_at?: string;
  updated_at?: string;
}

/** An entry of an index (SD-8): enough to choose a skill, and the address of its descriptor. */
export interface SkillIndexEntry {
  id: string;
  name: string;
  capability_type: CapabilityType;
  description: string;
  descriptor_url: string;
  access: AccessPolicy;
  version: string;
}

/** The answer of `/.well-known/skill-sharing` (SD-8). */
export interface SkillIndex {
  protocol: { version: string; changelog_url?: string };
  provider: SkillProvider;
  skills: SkillIndexEntry[];
}
