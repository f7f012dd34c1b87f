import { TIMED_ID_PATTERN } from '@parley/base';
import { LedgerEntry } from '../chains/ledger.ts';
import { closed, Id, Nothing } from '../formats.ts';
import { type CallerKind, defineRoute } from '../route.ts';
import * as Type from '../schema/type.ts';
import { anyPerson } from './access.ts';

/** A UUID of version 7 (RFC 9562): the client creates both, because the entry it signs names them (EE-19). */
const NewId = Type.String({ pattern: TIMED_ID_PATTERN });
const Hash = Type.String({ pattern: '^[0-9a-f]{64}$' });
const NullableHash = Type.Union([Hash, Type.Null()]);
const Scopes = Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 2_000, uniqueItems: true });

const relation = {
  relation_id: Id,
  conversation_id: Id,
  agent_id: Id,
  granted_scopes: Scopes,
  capability_manifest_version: Type.Integer({ description: 'The version the user last agreed to.' }),
  capability_manifest_hash: NullableHash,
};
const Relation = Type.Object({
  ...relation,
  user_id: Id,
  agent_name: Type.String(),
  status: Type.Union([Type.Literal('active'), Type.Literal('suspended'), Type.Literal('ended')]),
  pending_scopes: Type.Array(Type.String(), { description: 'Not granted until the user has answered (RL-9).' }),
  current_manifest_version: Type.Integer(),
  current_manifest_hash: NullableHash,
  signed: Type.Boolean({ description: 'A device has signed what is granted (RL-10).' }),
  ledger_length: Type.Integer(),
  ledger_head: NullableHash,
  created_at: Type.String(),
  updated_at: Type.String(),
  ended_at: Type.Union([Type.String(), Type.Null()]),
});

const one = Type.Object({ relation_id: Id }, closed);

// In these tables `member` is the person of the relation, `owner` the owner of the agent, who has no part in it.
const READERS = {
  anonymous: 401,
  stranger: 404,
  other_agent: 404,
  member: 200,
  owner: 404,
  self: 200,
  revoked: 401,
  admin: 404,
} as const satisfies Record<CallerKind, number>;
const WRITERS = { ...READERS, self: 403 } as const;

export const establishRelation = defineRoute({
  method: 'POST',
  path: '/h2a/relations',
  summary: 'Add an agent: grant it scopes and open a conversation with it',
  tag: 'relations',
  body: Type.Object(
    {
      agent_id: Id,
      granted_scopes: Scopes,
      manifest_hash: Type.Optional(Hash),
      relation_id: Type.Optional(NewId),
      conversation_id: Type.Optional(NewId),
      ledger_entry: Type.Optional(LedgerEntry),
    },
    closed,
  ),
  status: 201,
  reply: Type.Object(relation),
  limit: { body: 256 * 1024, perMinute: 60, by: 'caller' },
  access: { ...anyPerson(201), member: 409 },
});

export const listRelations = defineRoute({
  method: 'GET',
  path: '/h2a/relations',
  summary: 'The agents one has added',
  tag: 'relations',
  query: Type.Object(
    {
      cursor: Type.Optional(Id),
      limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d?|100)$', description: '1 to 100; 50 by default.' })),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({ relations: Type.Array(Relation), next_cursor: Type.Union([Id, Type.Null()]) }),
  limit: { body: 1024, perMinute: 300, by: 'caller' },
  access: anyPerson(200),
});

export const readRelation = defineRoute({
  method: 'GET',
  path: '/h2a/relations/:relation_id',
  summary: 'One relation, for its person and its agent',
  tag: 'relations',
  params: one,
  status: 200,
  reply: Relation,
  limit: { body: 1024, perMinute: 600, by: 'caller' },
  access: READERS,
});

export const changeRelation = defineRoute({
  method: 'PATCH',
  path: '/h2a/relations/:relation_id',
  summary: 'Change what is granted, or answer a request to agree again',
  tag: 'relations',
  params: one,
  body: Type.Object(
    {
      granted_scopes: Scopes,
      manifest_hash: Type.Optional(Hash),
      ledger_entry: Type.Optional(LedgerEntry),
    },
    closed,
  ),
  status: 200,
  reply: Relation,
  limit: { body: 256 * 1024, perMinute: 120, by: 'caller' },
  access: WRITERS,
});

export const endRelation = defineRoute({
  method: 'DELETE',
  path: '/h2a/relations/:relation_id',
  summary: 'Take everything back and end the relation',
  tag: 'relations',
  params: one,
  body: Type.Union([Nothing, Type.Object({ ledger_entry: Type.Optional(LedgerEntry) }, closed)]),
  status: 204,
  reply: Nothing,
  limit: { body: 256 * 1024, perMinute: 120, by: 'caller' },
  access: { ...WRITERS, member: 204 },
});

export const readLedger = defineRoute({
  method: 'GET',
  path: '/h2a/relations/:relation_id/ledger',
  summary: 'The signed entries of a relation, oldest first',
  tag: 'relations',
  params: one,
  query: Type.Object({ after: Type.Optional(Type.String({ pattern: '^\\d{1,9}$' })) }, closed),
  status: 200,
  reply: Type.Object({
    entries: Type.Array(LedgerEntry, { description: 'At most 100; ask again after the last.' }),
    length: Type.Integer(),
    head: NullableHash,
  }),
  limit: { body: 1024, perMinute: 600, by: 'caller' },
  access: READERS,
});

export const appendLedger = defineRoute({
  method: 'POST',
  path: '/h2a/relations/:relation_id/ledger',
  summary: 'Sign what a plain call has granted or taken back',
  tag: 'relations',
  params: one,
  body: Type.Object({ ledger_entry: LedgerEntry }, closed),
  status: 201,
  reply: Relation,
  limit: { body: 256 * 1024, perMinute: 120, by: 'caller' },
  access: { ...WRITERS, member: 201 },
});

export const RELATION_ROUTES = [
  establishRelation,
  listRelations,
  readRelation,
  changeRelation,
  endRelation,
  readLedger,
  appendLedger,
] as const;
