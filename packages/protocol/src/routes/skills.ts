import { closed, Id, Nothing, Time } from '../formats.ts';
import { type CallerKind, defineRoute } from '../route.ts';
import * as Type from '../schema/type.ts';
import { anyPerson, everyone } from './access.ts';
import { Publisher } from './publisher.ts';

// The registry of skill descriptors (SD-7, SD-8). In these tables the skill is private: `owner` has published it, `member`
// is someone the owner entitled; to everyone else it does not exist.

const KB = 1024;
const tag = 'skills';

const SkillId = Type.String({ maxLength: 200, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$' });
const Version = Type.String({ maxLength: 100, pattern: '^[0-9A-Za-z.+-]+$' });
const Namespace = Type.String({
  minLength: 3,
  maxLength: 100,
  pattern: '^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+$',
  description: 'At least two labels, such as com.example; the ids of its skills begin with it and a dot.',
});
const CapabilityType = Type.Enum(['plugin', 'api', 'knowledge', 'task'] as const);
const Access = Type.Enum(['public', 'restricted', 'private'] as const);
/** The document engine checks it and reports all findings at once (SD-5), not the contract. */
const Descriptor = Type.Unknown();
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Limit = Type.String({ pattern: '^([1-9][0-9]?|100)$', description: '1…100, 20 by default.' });
const Text = Type.String({ minLength: 1, maxLength: 200 });

const Violation = Type.Object({
  code: Type.String(),
  field: Type.String(),
  expected: Type.String(),
  actual: Type.String(),
  message: Type.String(),
});
const Change = Type.Object({
  code: Type.String(),
  path: Type.String(),
  side: Type.Union([Type.Literal('old'), Type.Literal('new')]),
  breaking: Type.Boolean(),
  message: Type.String(),
});

/** An entry of an index (SD-8). */
const Entry = Type.Object({
  id: Type.String(),
  name: Type.String(),
  capability_type: CapabilityType,
  description: Type.String(),
  descriptor_url: Type.String(),
  access: Access,
  version: Type.String(),
});
const Found = Type.Object({
  ...Entry.properties,
  provider: Type.String({ description: 'As the descriptor says itself. Nobody checks it.' }),
  owner: Publisher,
  tags: Type.Array(Type.String()),
  updated_at: Time,
});
const VersionSummary = Type.Object({
  version: Type.String(),
  digest: Sha256,
  access: Access,
  yanked: Type.Boolean(),
  created_at: Time,
});

const one = Type.Object({ skill_id: SkillId }, closed);
const oneVersion = Type.Object({ skill_id: SkillId, version: Version }, closed);

const READERS = { ...everyone(404), owner: 200, member: 200 } satisfies Record<CallerKind, number>;
/** Those who may see the skill but not change it get 403; for others it does not exist. */
const writers = (status: number) => ({ ...anyPerson(404), owner: status, member: 403, other_agent: 403, self: 403 });

export const claimNamespace = defineRoute({
  method: 'POST',
  path: '/skill-namespaces',
  summary:
    'Claim a namespace to publish skills in. First come, first served; names inside a claimed one are its owner’s',
  tag,
  body: Type.Object(
    {
      namespace: Namespace,
      host: Type.Optional(Type.Boolean({ description: 'Its skills are this host’s own. Operators only.' })),
    },
    closed,
  ),
  status: 201,
  reply: Type.Object({ namespace: Type.String(), host: Type.Boolean(), created_at: Time }),
  limit: { body: KB, perMinute: 30, by: 'caller' },
  access: anyPerson(201),
});

export const listNamespaces = defineRoute({
  method: 'GET',
  path: '/skill-namespaces',
  summary: "One's own namespaces",
  tag,
  status: 200,
  reply: Type.Object({
    namespaces: Type.Array(Type.Object({ namespace: Type.String(), host: Type.Boolean(), created_at: Time })),
  }),
  limit: { body: KB, perMinute: 300, by: 'caller' },
  access: anyPerson(200),
});

export const publishSkill = defineRoute({
  method: 'POST',
  path: '/skills',
  summary: 'Publish a version of a skill. It never changes again; a breaking change needs a new major version',
  tag,
  body: Type.Unsafe<unknown>(Type.Record(Type.String(), Type.Unknown())),
  status: 201,
  reply: Type.Object({
    id: Type.String(),
    version: Type.String(),
    digest: Sha256,
    descriptor_url: Type.String(),
    changes: Type.Array(Change),
    warnings: Type.Array(Violation),
  }),
  limit: { body: 512 * KB, perMinute: 60, by: 'caller' },
  access: { ...anyPerson(403), owner: 201 },
});

export const searchSkills = defineRoute({
  method: 'GET',
  path: '/skills',
  summary: 'Skills one may see: the best match first, among equals the newest',
  tag,
  query: Type.Object(
    {
      q: Type.Optional(Type.String({ maxLength: 200 })),
      type: Type.Optional(CapabilityType),
      tag: Type.Optional(Text),
      provider: Type.Optional(Text),
      mine: Type.Optional(Type.Literal('true')),
      cursor: Type.Optional(Type.String({ maxLength: 400 })),
      limit: Type.Optional(Limit),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({
    skills: Type.Array(Found),
    total: Type.Integer({ description: 'All that match, counted to 1,000.' }),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  }),
  limit: { body: KB, perMinute: 300, by: 'caller' },
  access: everyone(200),
});

export const listSkillTags = defineRoute({
  method: 'GET',
  path: '/skill-tags',
  summary: 'Tags of the skills one may see, the commonest first',
  tag,
  status: 200,
  reply: Type.Object({ tags: Type.Array(Type.Object({ tag: Type.String(), skills: Type.Integer() })) }),
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: everyone(200),
});

export const readSkill = defineRoute({
  method: 'GET',
  path: '/skills/:skill_id',
  summary: 'A skill: its newest version that was not yanked, and which there are',
  tag,
  params: one,
  status: 200,
  reply: Type.Object({
    descriptor: Descriptor,
    version: Type.String(),
    digest: Sha256,
    access: Access,
    owned: Type.Boolean(),
    owner: Publisher,
    versions: Type.Array(VersionSummary),
  }),
  limit: { body: KB, perMinute: 600, by: 'caller' },
  access: READERS,
});

export const readSkillVersion = defineRoute({
  method: 'GET',
  path: '/skills/:skill_id/versions/:version',
  summary: 'The descriptor of one version, as it was published. The ETag is its digest',
  tag,
  params: oneVersion,
  status: 200,
  reply: Descriptor,
  limit: { body: KB, perMinute: 600, by: 'caller' },
  access: READERS,
});

export const diffSkillVersions = defineRoute({
  method: 'GET',
  path: '/skills/:skill_id/diff',
  summary: 'What changed between two versions',
  tag,
  params: one,
  query: Type.Object({ from: Version, to: Version }, closed),
  status: 200,
  reply: Type.Object({ breaking: Type.Boolean(), changes: Type.Array(Change) }),
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: READERS,
});

export const yankSkillVersion = defineRoute({
  method: 'PUT',
  path: '/skills/:skill_id/versions/:version/yanked',
  summary: 'Take a version out of search, or back in. It stays readable for those who name it',
  tag,
  params: oneVersion,
  body: Type.Object({ yanked: Type.Boolean() }, closed),
  status: 200,
  reply: VersionSummary,
  limit: { body: KB, perMinute: 60, by: 'caller' },
  access: writers(200),
});

export const listEntitled = defineRoute({
  method: 'GET',
  path: '/skills/:skill_id/entitlements',
  summary: 'Who may see and use it besides the owner',
  tag,
  params: one,
  status: 200,
  reply: Type.Object({
    entitlements: Type.Array(Type.Object({ account_id: Id, display_name: Type.String(), created_at: Time })),
  }),
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: writers(200),
});

const entitlement = Type.Object({ skill_id: SkillId, account_id: Id }, closed);

export const entitle = defineRoute({
  method: 'PUT',
  path: '/skills/:skill_id/entitlements/:account_id',
  summary: 'Let someone see and use it',
  tag,
  params: entitlement,
  status: 204,
  reply: Nothing,
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: writers(204),
});

export const disentitle = defineRoute({
  method: 'DELETE',
  path: '/skills/:skill_id/entitlements/:account_id',
  summary: 'Take that back',
  tag,
  params: entitlement,
  status: 204,
  reply: Nothing,
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: writers(204),
});

const Secret = Type.String({
  minLength: 1,
  maxLength: 8_192,
  pattern: '^[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?$',
});

/** The progress of an execution. The texts are the provider's, made safe to show. */
const Progress = Type.Object({
  type: Type.Enum(['retry', 'state', 'cancelling'] as const),
  after_ms: Type.Integer({ minimum: 0, description: 'Since the call began.' }),
  status: Type.Optional(Type.Enum(['accepted', 'running', 'completed', 'failed', 'cancelled'] as const)),
  progress: Type.Optional(Type.Number({ description: 'As the provider counts it: to 1, or to 100.' })),
  message: Type.Optional(Type.String({ maxLength: 200 })),
  code: Type.Optional(Type.String({ maxLength: 64, description: 'Why an attempt failed, one of SI-4.' })),
  attempt: Type.Optional(Type.Integer({ minimum: 1 })),
  max_attempts: Type.Optional(Type.Integer({ minimum: 1 })),
  delay_ms: Type.Optional(Type.Integer({ minimum: 0, description: 'Until the next attempt.' })),
});

export const invokeSkill = defineRoute({
  method: 'POST',
  path: '/skills/:skill_id/invoke',
  summary:
    'Try a skill from a browser, which may not call other hosts itself. What the skill answers, also a failure, is in the reply. Whoever accepts lines is told its progress, and cancels it by leaving',
  tag,
  params: one,
  body: Type.Object(
    {
      version: Type.Optional(Version),
      inputs: Type.Record(Type.String(), Type.Unknown()),
      credentials: Type.Optional(
        Type.Object(
          {
            api_key: Type.Optional(Secret),
            access_token: Type.Optional(Secret),
            parameters: Type.Optional(
              Type.Record(Type.String({ pattern: '^[\\x21-\\x7e]{1,128}$' }), Secret, {
                maxProperties: 32,
                additionalProperties: false,
                description: 'For skills whose auth.custom.parameters are a list: name and value.',
              }),
            ),
            headers: Type.Optional(
              Type.Record(Type.String({ pattern: '^[A-Za-z0-9-]{1,64}$' }), Secret, {
                maxProperties: 10,
                additionalProperties: false,
                description: 'For skills that sign requests in a way of their own.',
              }),
            ),
          },
          { ...closed, description: 'Used for this one call, sent to the origin of the skill only, never kept.' },
        ),
      ),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({
    ok: Type.Boolean(),
    output: Type.Optional(Type.Unknown()),
    output_base64: Type.Optional(
      Type.String({ description: 'Instead of `output`, where it is neither JSON nor text.' }),
    ),
    execution_id: Type.Optional(Type.String()),
    error: Type.Optional(
      Type.Object({
        code: Type.String({ description: 'One of SI-4.' }),
        message: Type.String(),
        details: Type.Record(Type.String(), Type.Unknown()),
      }),
    ),
    events: Type.Array(Progress),
  }),
  event: Progress,
  limit: { body: 256 * KB, perMinute: 30, by: 'caller' },
  access: { ...anyPerson(404), owner: 200, member: 200 },
});

export const skillIndex = defineRoute({
  method: 'GET',
  path: '/.well-known/skill-sharing',
  summary: 'This host’s own skills, as other software discovers them (SD-8)',
  tag,
  status: 200,
  reply: Type.Object({
    protocol: Type.Object({ version: Type.String() }),
    provider: Type.Object({ name: Type.String(), url: Type.String() }),
    skills: Type.Array(Entry),
  }),
  limit: { body: KB, perMinute: 300, by: 'caller' },
  access: everyone(200),
});

export const SKILL_ROUTES = [
  claimNamespace,
  listNamespaces,
  publishSkill,
  searchSkills,
  listSkillTags,
  readSkill,
  readSkillVersion,
  diffSkillVersions,
  yankSkillVersion,
  listEntitled,
  entitle,
  disentitle,
  invokeSkill,
  skillIndex,
] as const;
