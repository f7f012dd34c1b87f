import { MANIFEST_SCHEMA } from '../capability/manifest.ts';

// The shape of an RKT bundle (chapter 9), written once, as JSON Schema: the types, the validator's field checks and the
// published file are derived from it. `x-level` names the level that reports a fault of a field where that is not the
// level of the object around it (9.2).

export const RKT_VERSION = '1.0';
export const MAX_ID_LENGTH = 64;
/** The limit for roles, kits, teams and assertions: loops over every pair of them must end soon. */
const MAX_OBJECTS = 1_000;
const MODES = ['single', 'team'] as const;
export const ACTIVATION_SCOPES = ['session', 'agent', 'workspace', 'global'] as const;
export const ROLLBACK_STRATEGIES = ['restore-snapshot', 'remove-created', 'manual'] as const;
const THINKING_LEVELS = ['none', 'normal', 'deep'] as const;
const PAYLOAD_TYPES = ['text', 'json', 'file', 'structured'] as const;
/** The levels, from harmless to dangerous. */
export const RISK_LEVELS = ['low', 'medium', 'high', 'critical'] as const;
export const RUNTIMES = ['node', 'python', 'binary', 'docker', 'mcp-server'] as const;
const BINDING_TYPES = ['mcp', 'function', 'http', 'cli'] as const;
export const PERMISSION_TYPES = [
  'network',
  'filesystem',
  'process',
  'env',
  'secret',
  'clipboard',
  'notification',
  'location',
] as const;
export const PERMISSION_MODES = ['read', 'write', 'execute'] as const;
const TOPOLOGIES = ['single', 'hierarchical', 'pipeline', 'parallel', 'mesh'] as const;
const CONCURRENCY_MODES = ['sequential', 'parallel', 'mixed'] as const;
const DEGRADATIONS = ['skip', 'escalate', 'fallback', 'retry', 'abort'] as const;
export const EDGE_TYPES = ['dispatch', 'sequential', 'parallel', 'conditional', 'fallback', 'kit-attach'] as const;

const ID = {
  description: 'Kebab-case: lower-case letters and digits, single hyphens between them.',
  type: 'string',
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: MAX_ID_LENGTH,
  'x-format': 'id',
} as const;

const TEXTS = { type: 'array', items: { type: 'string' } } as const;
const DEGRADATION = { type: 'string', enum: DEGRADATIONS } as const;

/** Reserved on every object for a later phase (BN-10). */
const RESERVED = {
  tradable: { description: 'Reserved: may be traded on its own.', type: 'boolean', default: false },
  version: { description: 'Reserved: a version of its own.', type: 'string' },
  author: { description: 'Reserved: who made it.', type: 'string' },
  tags: { description: 'Reserved: words to find it by.', ...TEXTS },
} as const;

const PAYLOAD_SCHEMA = {
  title: 'What goes in or comes out of a role',
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: PAYLOAD_TYPES },
    schema: { description: 'A JSON Schema, or null.', type: ['object', 'null'] },
    ...RESERVED,
  },
} as const;

export const ROLE_SCHEMA = {
  title: 'Role',
  description: 'Someone who does a part of the work.',
  type: 'object',
  required: ['id', 'label'],
  properties: {
    ...RESERVED,
    id: ID,
    label: { description: 'Its name.', type: 'string', minLength: 1 },
    purpose: { description: 'What it is for, in a sentence.', type: 'string' },
    description: { description: 'The same at length.', type: 'string' },
    thinkingLevel: { type: 'string', enum: THINKING_LEVELS },
    isEntry: { description: 'Whether work starts here.', type: 'boolean' },
    responsibilities: { description: 'What it does.', ...TEXTS },
    boundaries: { description: 'What it does not do.', ...TEXTS },
    kits: { description: 'Ids of the kits it may use.', ...TEXTS },
    input: PAYLOAD_SCHEMA,
    output: PAYLOAD_SCHEMA,
  },
} as const;

export const PERMISSION_SCHEMA = {
  title: 'Permission',
  description: 'What a kit wants to reach, and how.',
  type: 'object',
  required: ['type', 'target', 'mode'],
  properties: {
    ...RESERVED,
    type: { type: 'string', minLength: 1, examples: PERMISSION_TYPES },
    target: { type: 'string', minLength: 1, examples: ['https://api.search.com', 'reports/'] },
    mode: { type: 'string', minLength: 1, examples: PERMISSION_MODES },
  },
} as const;

export const MIRROR_SCHEMA = {
  title: 'Mirror',
  description: 'Where the content of a kit comes from, locked by its digest.',
  type: 'object',
  required: ['digest'],
  properties: {
    ...RESERVED,
    source: { type: 'string', minLength: 1, examples: ['roleos-mirror://official'] },
    digest: {
      description: 'SHA-256 of the content; fewer than 64 digits can be validated but not installed.',
      type: 'string',
      pattern: '^sha256:[0-9a-f]{8,64}$',
      'x-format': 'digest',
      'x-level': 'L3',
    },
    lockedAt: { description: 'ISO 8601.', type: 'string', 'x-format': 'time', examples: ['2026-03-25T00:00:00Z'] },
    autoUpdate: { type: 'boolean', default: false },
    clawHubRef: {
      description: 'slug@version, the version exact.',
      type: 'string',
      'x-format': 'reference',
      'x-level': 'L3',
      examples: ['weather@1.2.0'],
    },
    updateCheckInterval: { description: 'Days.', type: 'number', exclusiveMinimum: 0 },
  },
} as const;

export const KIT_SCHEMA = {
  title: 'Kit',
  description: 'An ability that roles use.',
  type: 'object',
  required: ['id', 'label', 'capabilities'],
  properties: {
    ...RESERVED,
    id: ID,
    label: { description: 'Its name.', type: 'string', minLength: 1 },
    description: { description: 'What it does.', type: 'string' },
    capabilities: { description: 'What it can do, at least one.', ...TEXTS, minItems: 1 },
    riskLevel: { description: 'None given counts as medium.', type: 'string', enum: RISK_LEVELS },
    runtime: { type: 'string', enum: RUNTIMES },
    entryPoint: { description: 'A file of the kit.', type: 'string', minLength: 1 },
    toolBinding: {
      title: 'How it is called',
      type: 'object',
      required: ['type'],
      properties: { ...RESERVED, type: { type: 'string', enum: BINDING_TYPES }, config: { type: 'object' } },
    },
    permissions: { type: 'array', items: PERMISSION_SCHEMA },
    mirror: MIRROR_SCHEMA,
    dependsOn: { description: 'Ids of kits it needs.', ...TEXTS },
  },
} as const;

export const EDGE_SCHEMA = {
  title: 'Handoff',
  description: 'Who hands over to whom.',
  type: 'object',
  required: ['source', 'target'],
  properties: {
    ...RESERVED,
    source: { description: 'Id of a role or kit.', type: 'string' },
    target: { description: 'Id of a role or kit.', type: 'string' },
    type: { type: 'string', enum: EDGE_TYPES },
    condition: { description: 'CEL over output, task and state, giving a boolean.', type: 'string' },
    priority: { description: 'Lower first among fallbacks.', type: 'number' },
    label: { type: 'string' },
  },
} as const;

export const TEAM_SCHEMA = {
  title: 'Team',
  description: 'How roles work together.',
  type: 'object',
  required: ['id', 'label', 'terminationRules'],
  properties: {
    ...RESERVED,
    id: ID,
    label: { description: 'Its name.', type: 'string', minLength: 1 },
    topology: { type: 'string', enum: TOPOLOGIES },
    entryRoleId: { description: 'The member the work starts with.', type: 'string' },
    concurrencyMode: { type: 'string', enum: CONCURRENCY_MODES },
    members: {
      type: 'array',
      items: {
        title: 'Member',
        type: 'object',
        required: ['id'],
        properties: {
          ...RESERVED,
          id: { description: 'Id of a role.', type: 'string' },
          isEntry: { description: 'Whether work starts here.', type: 'boolean' },
        },
      },
    },
    handoffGraph: { type: 'array', items: EDGE_SCHEMA },
    terminationRules: { description: 'When the work is done, at least one.', ...TEXTS, minItems: 1 },
    degradationStrategy: {
      title: 'What to do when something fails',
      type: 'object',
      required: [],
      properties: {
        ...RESERVED,
        toolMissing: DEGRADATION,
        permDenied: DEGRADATION,
        modelWeak: DEGRADATION,
        timeout: DEGRADATION,
      },
    },
    humanEscalation: {
      title: 'When a person is asked',
      type: 'object',
      required: ['enabled'],
      properties: {
        ...RESERVED,
        enabled: { type: 'boolean' },
        condition: { description: 'In words, or as CEL.', type: 'string' },
        maxRetries: { description: 'Tries before a person is asked.', type: 'integer', minimum: 0 },
      },
    },
  },
} as const;

export const ASSERTION_SCHEMA = {
  title: 'Assertion',
  description: 'What must hold when the bundle is activated.',
  type: 'object',
  required: ['id', 'expr'],
  properties: {
    ...RESERVED,
    id: { ...ID },
    description: { type: 'string' },
    expr: { description: 'CEL over bundle, plan and workspace, giving a boolean.', type: 'string' },
  },
} as const;

export const ROLLBACK_SCHEMA = {
  title: 'Rollback',
  description: 'How an activation is undone.',
  type: 'object',
  required: ['snapshotEnabled', 'strategy'],
  'x-level': 'L5',
  properties: {
    ...RESERVED,
    snapshotEnabled: { type: 'boolean' },
    strategy: { type: 'string', enum: ROLLBACK_STRATEGIES },
  },
} as const;

export const BUNDLE_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:parley:schema:bundle:1.0',
  title: 'RKT bundle',
  description: 'Roles, kits and teams that are checked, activated and undone as one.',
  type: 'object',
  required: ['rktVersion', 'id', 'version', 'name', 'summary', 'targetUser', 'roles', 'rollbackProfile'],
  properties: {
    $schema: { description: 'Where this schema lies, for completion in an editor.', type: 'string' },
    tradable: RESERVED.tradable,
    rktVersion: {
      description: 'The version of the protocol, Major.Minor.',
      type: 'string',
      pattern: '^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)$',
      'x-format': 'protocol',
      examples: [RKT_VERSION],
    },
    id: ID,
    version: {
      description: 'SemVer 2.0.0.',
      type: 'string',
      pattern: MANIFEST_SCHEMA.properties.agent_version.pattern,
      'x-format': 'semver',
      examples: ['1.0.0'],
    },
    name: { description: 'What people see.', type: 'string', minLength: 1 },
    summary: { description: 'One sentence, at most 140 characters.', type: 'string', minLength: 1 },
    description: { description: 'More than the summary says, for people.', type: 'string' },
    targetUser: { description: 'Whom it is for.', type: 'string', minLength: 1 },
    roles: { description: 'At least one.', type: 'array', items: ROLE_SCHEMA, minItems: 1, maxItems: MAX_OBJECTS },
    kits: { type: 'array', items: KIT_SCHEMA, maxItems: MAX_OBJECTS },
    teams: { type: 'array', items: TEAM_SCHEMA, maxItems: MAX_OBJECTS },
    mode: { type: 'string', enum: MODES, 'x-level': 'L2' },
    activationScope: { type: 'string', enum: ACTIVATION_SCOPES, 'x-level': 'L5' },
    rollbackProfile: ROLLBACK_SCHEMA,
    assertions: { type: 'array', items: ASSERTION_SCHEMA, maxItems: MAX_OBJECTS },
    author: { description: 'Who publishes it.', type: 'string' },
    tags: { description: 'Words to find it by.', ...TEXTS },
    category: { type: 'string' },
    license: { type: 'string', default: 'MIT' },
  },
} as const;
