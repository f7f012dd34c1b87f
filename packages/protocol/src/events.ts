import type { Static, TObject, TProperties } from 'typebox';
import * as Type from 'typebox';
import { Envelope, Sender } from './envelope.ts';
import { Id, Time } from './formats.ts';

const Scopes = Type.Array(Type.String());
const Version = Type.Integer({ minimum: 0 });
const Hash = Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.Null()]);

const relation = {
  relation_id: Id,
  conversation_id: Id,
  agent_id: Id,
  user_id: Id,
};
const grants = {
  ...relation,
  granted_scopes: Scopes,
  capability_manifest_version: Version,
  capability_manifest_hash: Hash,
  /** False: nobody has signed it yet, so devices and agents treat it as not granted (RL-10). */
  signed: Type.Boolean(),
};

/**
 * A relation's end or pause. Where it is the agent that ended or paused, the agent itself is told once, with the number
 * of relations instead of one.
 */
const pause = {
  agent_id: Id,
  relation_id: Type.Optional(Id),
  conversation_id: Type.Optional(Id),
  user_id: Type.Optional(Id),
  relations: Type.Optional(Type.Integer({ minimum: 0 })),
  reason: Type.Union([Type.Literal('user'), Type.Literal('agent'), Type.Literal('account')]),
};

const message = {
  message_id: Id,
  conversation_id: Id,
  conversation_seq: Type.Integer({ minimum: 1 }),
  client_message_id: Type.String(),
};
const delivered = {
  ...message,
  sender: Sender,
  content_type: Type.String(),
  msg_subtype: Type.String(),
  created_at: Time,
  received_at: Time,
  envelope: Envelope,
};

const member = { kind: Type.Union([Type.Literal('human'), Type.Literal('agent')]), id: Id };

/** Every event there is, with what it carries (RL-8, RL-9, RL-11, TR-3, TR-6): for sockets, polling and webhooks alike. */
export const EVENTS = {
  'h2a.reauth_required': event({
    agent_id: Id,
    new_manifest_version: Version,
    new_manifest_hash: Hash,
    scopes_requiring_reauth: Scopes,
    /** The agent went over to a weaker mode (EE-7), instead of changing its manifest. */
    connection_mode: Type.Optional(Type.String()),
  }),
  'h2a.manifest_updated': event({ agent_id: Id, new_manifest_version: Version, new_manifest_hash: Hash }),
  'relation.established': event(grants),
  'relation.revoked': event(pause),
  'relation.suspended': event(pause),
  'relation.restored': event(pause),
  'agent.capability_changed': event({
    ...grants,
    /** What the user made of the scopes that were waiting; `changed` where none were. */
    answer: Type.Union([
      Type.Literal('granted'),
      Type.Literal('partial'),
      Type.Literal('refused'),
      Type.Literal('changed'),
    ]),
  }),
  /** To the owner: deliveries to its webhook failed for a day (TR-6). */
  'agent.unreachable': event({ agent_id: Id, since: Time }),
  /** To the account's own devices: one of them may have to be approved, or was not theirs (EE-14). */
  'device.changed': event({
    device_id: Id,
    change: Type.Union([Type.Literal('added'), Type.Literal('certified'), Type.Literal('revoked')]),
  }),
  /**
   * To everyone who shares a conversation with the account: a device of theirs was certified or revoked, or their account
   * key was replaced (EE-14). What is sealed next is sealed for the devices as they are now.
   */
  'account.devices_changed': event({ account_id: Id }),
  /** Those who stay make a new group key if someone was removed (EE-12). */
  'conversation.members_changed': event({
    conversation_id: Id,
    added: Type.Array(Type.Object({ ...member, role: Type.String() })),
    removed: Type.Array(Type.Object(member)),
  }),
  'message.new': event(delivered),
  'message.ack': event(message),
  /** A webhook's name for a `message.new` that answers a tool call. */
  artifact_response: event(delivered),
} as const satisfies Record<string, TObject>;

/** Open objects: a consumer must not break when an event learns a field. */
function event<const Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties);
}

export type EventType = keyof typeof EVENTS;
export type EventPayload<Name extends EventType> = Static<(typeof EVENTS)[Name]>;
