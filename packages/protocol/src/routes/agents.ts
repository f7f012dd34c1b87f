import type { Static } from 'typebox';
import { closed, Id, Nothing, PublicKey, Signature, Time } from '../formats.ts';
import { type CallerKind, defineRoute, type RouteContract } from '../route.ts';
import * as Type from '../schema/type.ts';
import { anyPerson } from './access.ts';

const KB = 1024;
/** The largest manifest (CM-13) fits with room to spare, however it is indented. */
const MANIFEST_BODY = 1024 * KB;

// Postgres cannot store U+0000 in a text.
const TEXT = '^[^\\u0000]*$';
const Name = Type.String({ minLength: 1, maxLength: 64, pattern: TEXT });
const Description = Type.String({ maxLength: 2_000, pattern: TEXT });
const Visibility = Type.Union([Type.Literal('public'), Type.Literal('private')]);
const ConnectionMode = Type.Union([Type.Literal('websocket'), Type.Literal('polling'), Type.Literal('webhook')]);
const Sensitivity = Type.Union([Type.Literal('low'), Type.Literal('medium'), Type.Literal('high')]);
const Limit = Type.String({ pattern: '^([1-9][0-9]?|100)$', description: '1…100, 20 by default.' });
const Cursor = Type.String({ maxLength: 200, description: '`next_cursor` of the page before.' });
const NextCursor = Type.Union([Type.String(), Type.Null()]);
const VersionNumber = Type.String({ pattern: '^[1-9][0-9]{0,8}$' });

const AgentParams = Type.Object({ agent_id: Type.String({ maxLength: 64 }) });

/** The document engine checks it and reports all findings at once (CM-15), not the contract. */
const Manifest = Type.Unknown();

const Finding = Type.Object({
  code: Type.String(),
  severity: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
  path: Type.String(),
  params: Type.Unknown(),
  message: Type.String(),
});

const Change = Type.Object({
  code: Type.String(),
  path: Type.String(),
  side: Type.Union([Type.Literal('old'), Type.Literal('new')]),
  tool: Type.Optional(Type.String()),
  scope: Type.Optional(Type.String()),
  breaking: Type.Boolean(),
  consent: Type.Union([Type.Literal('reauth'), Type.Literal('notice'), Type.Literal('none')]),
  message: Type.String(),
  witness: Type.Optional(Type.Unknown()),
});

const Status = Type.Union([Type.Literal('active'), Type.Literal('suspended'), Type.Literal('banned')]);

/** An agent as lists show it. */
const AgentSummary = Type.Object({
  agent_id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  visibility: Visibility,
  status: Status,
  connection_mode: ConnectionMode,
  capability_manifest_version: Type.Integer(),
  capability_manifest_hash: Type.Union([Type.String(), Type.Null()]),
  tools: Type.Array(Type.String()),
  permission_scopes: Type.Array(Type.String()),
  highest_sensitivity: Type.Union([Sensitivity, Type.Null()]),
  created_at: Time,
  updated_at: Time,
});

/** The id is for the owner only (AC-7). */
const Owner = Type.Object({ user_id: Type.Optional(Type.String()), display_name: Type.String() });

const Agent = Type.Object({
  agent_id: Type.String(),
  name: Type.String(),
  description: Type.String(),
  owner: Owner,
  visibility: Visibility,
  status: Status,
  capability_manifest: Type.Unknown(),
  capability_manifest_version: Type.Integer(),
  capability_manifest_hash: Type.Union([Type.String(), Type.Null()]),
  connection_mode: ConnectionMode,
  connection_mode_signature: Type.Union([Type.String(), Type.Null()]),
  identity_key: Type.Union([Type.String(), Type.Null()]),
  exchange_key: Type.Union([Type.String(), Type.Null()]),
  created_at: Time,
  updated_at: Time,
  warnings: Type.Optional(Type.Array(Finding, { description: 'For the owner and the agent itself only.' })),
  unreachable_since: Type.Optional(
    Type.Union([Time, Type.Null()], { description: 'Since when its webhook fails; for the owner and the agent only.' }),
  ),
  has_webhook: Type.Optional(Type.Boolean({ description: 'For the owner and the agent only.' })),
});

/** The reply to a changed manifest (RL-3). */
const ManifestReply = Type.Object({
  agent_id: Type.String(),
  capability_manifest_version: Type.Integer(),
  capability_manifest_hash: Type.Union([Type.String(), Type.Null()]),
  breaking_changes: Type.Array(Change),
  changes: Type.Array(Change),
  warnings: Type.Array(Finding),
});

// Programs write it to files of settings, where a line break would begin a setting of the server’s choice.
const AgentToken = Type.String({ pattern: '^hsk_[0-9A-Za-z]{40}$', description: 'Shown this once.' });

const NewAgentToken = Type.Object({
  token_id: Id,
  token: AgentToken,
  created_at: Time,
});

/** Access to a public agent. A private one is 404 to everyone without a relation to it. */
const READERS = access({ anonymous: 200, stranger: 200, other_agent: 200, member: 200, owner: 200, self: 200 });
const OWNER = access({ anonymous: 401, stranger: 403, other_agent: 403, member: 403, owner: 200, self: 403 });
const OWNER_AND_SELF = { ...OWNER, self: 200 };
const SELF = { ...OWNER, owner: 403, self: 200 };

function access(
  statuses: Record<Exclude<CallerKind, 'revoked' | 'admin'>, number>,
): Readonly<Record<CallerKind, number>> {
  return { ...statuses, revoked: 401, admin: statuses.stranger };
}

export const createAgent = defineRoute({
  method: 'POST',
  path: '/agents',
  summary: 'Create an agent; its token is shown this once (RL-1)',
  tag: 'agents',
  body: Type.Object(
    {
      name: Name,
      description: Type.Optional(Description),
      visibility: Type.Optional(Visibility),
      connection_mode: Type.Optional(ConnectionMode),
      capability_manifest: Type.Optional(Manifest),
    },
    closed,
  ),
  status: 201,
  reply: Type.Object({
    agent_id: Id,
    name: Type.String(),
    token: AgentToken,
    token_id: Id,
    visibility: Visibility,
    connection_mode: ConnectionMode,
    capability_manifest_version: Type.Integer(),
    capability_manifest_hash: Type.Union([Type.String(), Type.Null()]),
    warnings: Type.Array(Finding),
    created_at: Time,
  }),
  limit: { body: MANIFEST_BODY, perMinute: 60, by: 'caller' },
  access: anyPerson(201),
});

export const searchAgents = defineRoute({
  method: 'GET',
  path: '/agents',
  summary: 'Search public agents, best first; with mine=true one’s own, with built_in=true those of the server (RL-5)',
  tag: 'agents',
  query: Type.Object(
    {
      q: Type.Optional(Type.String({ maxLength: 200 })),
      tool: Type.Optional(Type.String({ maxLength: 64, pattern: TEXT })),
      scope: Type.Optional(Type.String({ maxLength: 128, pattern: TEXT })),
      flag: Type.Optional(Type.String({ maxLength: 64, pattern: TEXT })),
      max_sensitivity: Type.Optional(Sensitivity),
      mine: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')])),
      built_in: Type.Optional(Type.Literal('true')),
      cursor: Type.Optional(Cursor),
      limit: Type.Optional(Limit),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({ agents: Type.Array(AgentSummary), next_cursor: NextCursor }),
  limit: { body: KB, perMinute: 240, by: 'caller' },
  access: READERS,
});

export const readAgent = defineRoute({
  method: 'GET',
  path: '/agents/:agent_id',
  summary: 'An agent with its manifest and keys; the ETag is the hash of the manifest (RL-5)',
  tag: 'agents',
  params: AgentParams,
  status: 200,
  reply: Agent,
  limit: { body: KB, perMinute: 600, by: 'caller' },
  access: READERS,
});

const AgentFields = Type.Object(
  {
    name: Type.Optional(Name),
    description: Type.Optional(Description),
    visibility: Type.Optional(Visibility),
    capability_manifest: Type.Optional(Manifest),
  },
  { ...closed, minProperties: 1 },
);
export type AgentFields = Static<typeof AgentFields>;

/**
 * The body that `curl -d @manifest.json` sends. One field of a manifest is enough: the engine reports everything else.
 */
const BareManifest = Type.Unsafe<Readonly<Record<string, unknown>>>({
  type: 'object',
  description: 'A manifest by itself.',
  not: { required: ['capability_manifest'] },
  anyOf: ['schema_version', 'agent_version', 'tools', 'permission_scopes'].map((field) => ({ required: [field] })),
});

export const updateAgent = defineRoute({
  method: 'PATCH',
  path: '/agents/:agent_id',
  summary: 'Replace the manifest or other fields, guarded by If-Match and Idempotency-Key (RL-2, RL-3, RL-4)',
  tag: 'agents',
  params: AgentParams,
  body: Type.Union([AgentFields, BareManifest]),
  status: 200,
  reply: ManifestReply,
  limit: { body: MANIFEST_BODY, perMinute: 300, by: 'caller' },
  access: OWNER_AND_SELF,
});

export const deleteAgent = defineRoute({
  method: 'DELETE',
  path: '/agents/:agent_id',
  summary: 'Delete an agent: its tokens and relations end',
  tag: 'agents',
  params: AgentParams,
  status: 204,
  reply: Nothing,
  limit: { body: KB, perMinute: 60, by: 'caller' },
  access: { ...OWNER, owner: 204 },
});

const AgentStatus = Type.Object({ agent_id: Type.String(), status: Status });

export const suspendAgent = defineRoute({
  method: 'POST',
  path: '/agents/:agent_id/suspend',
  summary: 'Suspend an agent and its relations; its tokens answer AGENT_SUSPENDED',
  tag: 'agents',
  params: AgentParams,
  status: 200,
  reply: AgentStatus,
  limit: { body: KB, perMinute: 30, by: 'caller' },
  access: OWNER,
});

export const resumeAgent = defineRoute({
  method: 'POST',
  path: '/agents/:agent_id/resume',
  summary: 'Resume a suspended agent and its relations',
  tag: 'agents',
  params: AgentParams,
  status: 200,
  reply: AgentStatus,
  limit: { body: KB, perMinute: 30, by: 'caller' },
  access: OWNER,
});

export const listManifests = defineRoute({
  method: 'GET',
  path: '/agents/:agent_id/manifests',
  summary: 'Every version of the manifest, newest first',
  tag: 'agents',
  params: AgentParams,
  query: Type.Object({ cursor: Type.Optional(VersionNumber), limit: Type.Optional(Limit) }, closed),
  status: 200,
  reply: Type.Object({
    agent_id: Type.String(),
    manifests: Type.Array(
      Type.Object({
        capability_manifest_version: Type.Integer(),
        capability_manifest_hash: Type.String(),
        breaking: Type.Boolean({ description: 'Against the version before, as the server judged it then.' }),
        created_at: Time,
      }),
    ),
    next_cursor: NextCursor,
  }),
  limit: { body: KB, perMinute: 240, by: 'caller' },
  access: READERS,
});

export const readManifest = defineRoute({
  method: 'GET',
  path: '/agents/:agent_id/manifests/:version',
  summary: 'One version of the manifest',
  tag: 'agents',
  params: Type.Object({ agent_id: Type.String({ maxLength: 64 }), version: VersionNumber }),
  status: 200,
  reply: Type.Object({
    agent_id: Type.String(),
    capability_manifest_version: Type.Integer(),
    capability_manifest_hash: Type.String(),
    capability_manifest: Type.Unknown(),
    breaking: Type.Boolean(),
    created_at: Time,
  }),
  limit: { body: KB, perMinute: 240, by: 'caller' },
  access: READERS,
});

export const diffManifestVersions = defineRoute({
  method: 'GET',
  path: '/agents/:agent_id/diff',
  summary: 'What changed between two versions of the manifest; without numbers, with the last one',
  tag: 'agents',
  params: AgentParams,
  query: Type.Object(
    {
      from: Type.Optional(VersionNumber),
      to: Type.Optional(VersionNumber),
      policy: Type.Optional(Type.Union([Type.Literal('spec'), Type.Literal('guide')])),
      locale: Type.Optional(Type.Union([Type.Literal('en'), Type.Literal('zh-CN')])),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({
    agent_id: Type.String(),
    from: Type.Integer(),
    to: Type.Integer(),
    breaking: Type.Boolean(),
    policy: Type.Union([Type.Literal('spec'), Type.Literal('guide')]),
    old_hash: Type.String(),
    new_hash: Type.String(),
    scopes_requiring_reauth: Type.Array(Type.String()),
    changes: Type.Array(Change),
  }),
  // A diff of the largest manifests takes tens of milliseconds.
  limit: { body: KB, perMinute: 60, by: 'caller' },
  access: READERS,
});

export const rotateToken = defineRoute({
  method: 'POST',
  path: '/agents/:agent_id/tokens',
  summary: 'A new token, shown this once; the old ones expire after the overlap',
  tag: 'agents',
  params: AgentParams,
  body: Type.Union([
    Type.Object({ overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400 })) }, closed),
    Type.Null(),
  ]),
  status: 201,
  reply: NewAgentToken,
  limit: { body: KB, perMinute: 30, by: 'caller' },
  access: { ...OWNER, owner: 201 },
});

export const listTokens = defineRoute({
  method: 'GET',
  path: '/agents/:agent_id/tokens',
  summary: 'The tokens that work, without their text, newest first',
  tag: 'agents',
  params: AgentParams,
  query: Type.Object({ cursor: Type.Optional(Id) }, closed),
  status: 200,
  reply: Type.Object({
    tokens: Type.Array(
      Type.Object({ token_id: Type.String(), created_at: Time, expires_at: Type.Union([Time, Type.Null()]) }),
    ),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  }),
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: OWNER,
});

export const revokeToken = defineRoute({
  method: 'DELETE',
  path: '/agents/:agent_id/tokens/:token_id',
  summary: 'Revoke a token at once',
  tag: 'agents',
  params: Type.Object({ agent_id: Type.String({ maxLength: 64 }), token_id: Type.String({ maxLength: 64 }) }),
  status: 204,
  reply: Nothing,
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: { ...OWNER, owner: 204 },
});

export const setIdentity = defineRoute({
  method: 'PUT',
  path: '/agents/:agent_id/identity',
  summary: 'The agent’s public keys and its connection mode, signed by its identity key (EE-7)',
  tag: 'agents',
  params: AgentParams,
  body: Type.Object(
    {
      identity_key: PublicKey,
      exchange_key: PublicKey,
      connection_mode: ConnectionMode,
      connection_mode_signature: Signature,
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({
    agent_id: Type.String(),
    identity_key: Type.String(),
    exchange_key: Type.String(),
    connection_mode: ConnectionMode,
    connection_mode_signature: Type.String(),
  }),
  limit: { body: 4 * KB, perMinute: 30, by: 'caller' },
  access: SELF,
});

export const AGENT_ROUTES: readonly RouteContract[] = [
  createAgent,
  searchAgents,
  readAgent,
  updateAgent,
  deleteAgent,
  suspendAgent,
  resumeAgent,
  listManifests,
  readManifest,
  diffManifestVersions,
  rotateToken,
  listTokens,
  revokeToken,
  setIdentity,
];
