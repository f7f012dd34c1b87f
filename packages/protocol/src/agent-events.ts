import type { Static, TObject, TProperties } from 'typebox';
import { Id, Time } from './formats.ts';
import { MSG_SUBTYPES } from './payload.ts';
import { isValid } from './schema/is-valid.ts';
import * as Type from './schema/type.ts';

const Count = Type.Integer({ minimum: 0 });
const Positive = Type.Integer({ minimum: 1 });
const Via = Type.Enum(['socket', 'poll'] as const);
const delivery = {
  delivery_id: Id,
  event_type: Type.String({ maxLength: 64 }),
  /** The number of attempts, including this one. */
  attempt: Positive,
  /** The status that the endpoint answered with; null where it did not answer. */
  status: Type.Union([Type.Integer(), Type.Null()]),
  /** A code of the delivery log. */
  error: Type.Union([Type.String({ maxLength: 64 }), Type.Null()]),
  took_ms: Count,
};
/** One relation, or the number of relations where the agent itself changed. The person is never named. */
const relations = { relation_id: Type.Optional(Id), relations: Type.Optional(Count) };

/**
 * The events of an agent that its owner can see (HS-12). None of them names a person or holds message content. The part
 * before the dot names the subject.
 */
export const AGENT_EVENTS = {
  'agent.suspended': {},
  'agent.resumed': {},
  'connection.opened': { via: Via, token_id: Id },
  'connection.closed': { via: Via, token_id: Id },
  'manifest.pushed': { version: Positive, hash: Type.String({ maxLength: 64 }), breaking_changes: Count },
  'token.created': { token_id: Id },
  /** The older tokens stay valid for this long. */
  'token.rotated': { token_id: Id, overlap_seconds: Count },
  'token.revoked': { token_id: Id },
  'webhook.delivered': delivery,
  'webhook.failed': { ...delivery, next_attempt_at: Time },
  'webhook.given_up': delivery,
  /** Deliveries that were not made, because too many of the owner's were waiting (OP-1). */
  'webhook.refused': { count: Positive },
  'relation.established': relations,
  'relation.changed': { ...relations, answer: Type.Enum(['granted', 'partial', 'refused', 'changed'] as const) },
  'relation.revoked': { ...relations, by: Type.Enum(['user', 'agent'] as const) },
  'relation.suspended': relations,
  'relation.restored': relations,
  'relation.reauth_required': { version: Count, scopes: Type.Array(Type.String()) },
  /** Messages are counted while someone watches, and not stored. */
  'message.relayed': {
    direction: Type.Enum(['to_agent', 'from_agent'] as const),
    msg_subtype: Type.Enum(MSG_SUBTYPES),
    count: Positive,
  },
  /** Tool calls over the limit (TC-7). */
  'message.refused': { count: Positive },
  /** All stored events were sent; from here on they are sent as they happen. */
  'events.live': {},
  /** Sent to a watcher that is too slow, or was away for too long. */
  'events.left_out': { count: Positive },
} as const satisfies Record<string, TProperties>;

export type AgentEventType = keyof typeof AGENT_EVENTS;

interface EventHeader {
  /** Numbers the agent's events; null for events that are not stored. */
  readonly event_id: number | null;
  readonly at: string;
}
type FieldsOf<Name extends AgentEventType> = Static<TObject<(typeof AGENT_EVENTS)[Name]>>;
/** An event before it gets its number and time. */
export type AgentEventNote = { [Name in AgentEventType]: { readonly type: Name } & FieldsOf<Name> }[AgentEventType];
export type AgentLogEvent = EventHeader & AgentEventNote;

/** The part that all events share, so that an older reader accepts events of a newer server. */
export const AnyAgentEvent = Type.Object({
  event_id: Type.Union([Positive, Type.Null()], { description: 'Counts the agent’s events; null: not kept.' }),
  at: Time,
  type: Type.String({ maxLength: 64, description: 'Its fields stand beside it.' }),
});

const SCHEMAS = Object.fromEntries(
  Object.entries(AGENT_EVENTS).map(([type, fields]) => [type, Type.Object({ ...AnyAgentEvent.properties, ...fields })]),
);

/** Returns undefined for events that this version does not know. */
export function readAgentEvent(value: unknown): AgentLogEvent | undefined {
  const { type } = (value ?? {}) as { type?: unknown };
  if (typeof type !== 'string' || !Object.hasOwn(AGENT_EVENTS, type)) return undefined;
  return isValid(SCHEMAS[type]!, value) ? (value as AgentLogEvent) : undefined;
}
