import type { Static, TObject, TProperties } from 'typebox';
import { Envelope, Sender } from './envelope.ts';
import { Id, Time } from './formats.ts';
import * as Type from './schema/type.ts';

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
  /** If false, nobody has signed it yet, so devices and agents treat it as not granted (RL-10). */
  signed: Type.Boolean(),
};

/**
 * The end or pause of a relation. If the agent itself ended or paused, it gets one event with the number of its
 * relations.
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

/** All events and their payloads (RL-8, RL-9, RL-11, TR-3, TR-6), for sockets, polling and webhooks alike. */
export const EVENTS = {
  'h2a.reauth_required': event({
    agent_id: Id,
    new_manifest_version: Version,
    new_manifest_hash: Hash,
    scopes_requiring_reauth: Scopes,
    /** Set if the agent switched to a weaker mode (EE-7) instead of changing its manifest. */
    connection_mode: Type.Optional(Type.String()),
  }),
  'h2a.manifest_updated': event({ agent_id: Id, new_manifest_version: Version, new_manifest_hash: Hash }),
  'relation.established': event(grants),
  'relation.revoked': event(pause),
  'relation.suspended': event(pause),
  'relation.restored': event(pause),
  'agent.capability_changed': event({
    ...grants,
    /** What the user decided about the pending scopes; `changed` where none were pending. */
    answer: Type.Union([
      Type.Literal('granted'),
      Type.Literal('partial'),
      Type.Literal('refused'),
      Type.Literal('changed'),
    ]),
  }),
  /** Sent to the owner when deliveries to the webhook have failed for a day (TR-6). */
  'agent.unreachable': event({ agent_id: Id, since: Time }),
  /** Sent to the account's own devices: one of them may have to be approved, or is not theirs (EE-14). */
  'device.changed': event({
    device_id: Id,
    change: Type.Union([Type.Literal('added'), Type.Literal('certified'), Type.Literal('revoked')]),
  }),
  /**
   * Sent to everyone who shares a conversation with the account: a device was certified or revoked, or the account key
   * was replaced (EE-14). From then on, messages are sealed for the new devices.
   */
  'account.devices_changed': event({ account_id: Id }),
  /** If someone was removed, those who stay make a new group key (EE-12). */
  'conversation.members_changed': event({
    conversation_id: Id,
    added: Type.Array(Type.Object({ ...member, role: Type.String() })),
    removed: Type.Array(Type.Object(member)),
  }),
  /** Someone asks to become a contact (AC-4). */
  'contact.requested': event({ request_id: Id, user_id: Id, display_name: Type.String() }),
  /** Someone who was asked, or who asked, is a contact now. */
  'contact.accepted': event({ user_id: Id, display_name: Type.String() }),
  /** To the account's own devices: another of them has declined, blocked or unblocked someone. */
  'contact.changed': event({}),
  'group.invited': event({ invitation_id: Id, title: Type.Union([Type.String(), Type.Null()]) }),
  /** To the owner and the admins: someone has accepted, and one of their devices signs them in (AC-5). */
  'group.invitation_accepted': event({ conversation_id: Id, invitation_id: Id, user_id: Id }),
  'message.new': event(delivered),
  'message.ack': event(message),
  /** The name that a webhook uses for a `message.new` that answers a tool call. */
  artifact_response: event(delivered),
} as const satisfies Record<string, TObject>;

/** The objects are open: a consumer must not break when an event gets a new field. */
function event<const Properties extends TProperties>(properties: Properties): TObject<Properties> {
  return Type.Object(properties);
}

export type EventType = keyof typeof EVENTS;
export type EventPayload<Name extends EventType> = Static<(typeof EVENTS)[Name]>;
