import type { Static } from 'typebox';
import { closed, Id, Nothing, Time } from '../formats.ts';
import { type CallerKind, defineRoute, type RouteContract } from '../route.ts';
import * as Type from '../schema/type.ts';
import { anyPerson } from './access.ts';

const AgentParams = Type.Object({ agent_id: Type.String({ maxLength: 64 }) });
const DeliveryParams = Type.Object({
  agent_id: Type.String({ maxLength: 64 }),
  delivery_id: Id,
});
const NullableTime = Type.Union([Time, Type.Null()]);
const Secret = Type.String({
  maxLength: 512,
  description: 'At least 32 bytes; made by the server where it is left out.',
});

// Restricted, unlike one that people bring, because programs write it to files of settings.
const MadeSecret = Type.String({
  maxLength: 512,
  pattern: '^whsec_[A-Za-z0-9+/]{43,}={0,2}$',
  description: 'Only here, and only if the server made it.',
});

const LastError = Type.Union([Type.String(), Type.Null()]);
const Delivery = Type.Object({
  delivery_id: Type.String(),
  event_type: Type.String(),
  status: Type.Union([Type.Literal('pending'), Type.Literal('delivered'), Type.Literal('failed')]),
  attempts: Type.Integer(),
  last_status: Type.Union([Type.Integer(), Type.Null()]),
  last_error: LastError,
  next_attempt_at: NullableTime,
  created_at: Time,
  delivered_at: NullableTime,
});
export type WireDelivery = Static<typeof Delivery>;

const Webhook = Type.Object({
  agent_id: Id,
  url: Type.String(),
  status: Type.Union([Type.Literal('active'), Type.Literal('unreachable')]),
  unreachable_since: Type.Union([Time, Type.Null()], {
    description: 'Since when a delivery was given up after a day, and none answered since.',
  }),
  // A server of an earlier version does not say how it went: its replies, with secrets in them, are read all the same.
  failing: Type.Optional(
    Type.Union(
      [Type.Object({ since: Time, status: Type.Union([Type.Integer(), Type.Null()]), error: LastError }), Type.Null()],
      { description: 'Since when every attempt has failed, and how the last one did.' },
    ),
  ),
  last_answered_at: Type.Optional(
    Type.Union([Time, Type.Null()], {
      description: 'When it last took a delivery, since the webhook was changed last.',
    }),
  ),
  last_ping: Type.Optional(Type.Union([Delivery, Type.Null()])),
  previous_secret_until: Type.Union([Time, Type.Null()], {
    description: 'Until then deliveries are signed with the secret before, too.',
  }),
  created_at: Time,
  updated_at: Time,
  secret: Type.Optional(MadeSecret),
});
export type WireWebhook = Static<typeof Webhook>;

const Accepted = Type.Object({ delivery_id: Type.String() });

/** Anyone may know the agent (RL-2), but its webhook is for its owner. */
const ownerOnly = (status: number): Record<CallerKind, number> => ({ ...anyPerson(403), owner: status });
const tag = 'webhooks';
const limit = { body: 16 * 1024, perMinute: 60, by: 'caller' } as const;

export const putWebhook = defineRoute({
  method: 'PUT',
  path: '/agents/:agent_id/webhook',
  summary: 'Set where events of the agent are delivered (TR-5)',
  tag,
  params: AgentParams,
  body: Type.Object({ url: Type.String({ maxLength: 2_048 }), secret: Type.Optional(Secret) }, closed),
  status: 200,
  reply: Webhook,
  limit,
  access: ownerOnly(200),
});

export const getWebhook = defineRoute({
  method: 'GET',
  path: '/agents/:agent_id/webhook',
  summary: 'The webhook and whether it answers; never its secret',
  tag,
  params: AgentParams,
  status: 200,
  reply: Webhook,
  limit,
  access: ownerOnly(200),
});

export const deleteWebhook = defineRoute({
  method: 'DELETE',
  path: '/agents/:agent_id/webhook',
  summary: 'Deliver nothing any more',
  tag,
  params: AgentParams,
  status: 204,
  reply: Nothing,
  limit,
  access: ownerOnly(204),
});

export const rotateWebhook = defineRoute({
  method: 'POST',
  path: '/agents/:agent_id/webhook/rotate',
  summary: 'Change the secret; for a while deliveries are signed with both',
  tag,
  params: AgentParams,
  body: Type.Object(
    {
      overlap_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 604_800, default: 86_400 })),
      secret: Type.Optional(Secret),
    },
    closed,
  ),
  status: 200,
  reply: Webhook,
  limit,
  access: ownerOnly(200),
});

export const testWebhook = defineRoute({
  method: 'POST',
  path: '/agents/:agent_id/webhook/test',
  summary: 'Deliver a ping',
  tag,
  params: AgentParams,
  status: 202,
  reply: Accepted,
  limit,
  access: ownerOnly(202),
});

export const listDeliveries = defineRoute({
  method: 'GET',
  path: '/agents/:agent_id/webhook/deliveries',
  summary: 'The log of deliveries, newest first (TR-6)',
  tag,
  params: AgentParams,
  query: Type.Object(
    {
      cursor: Type.Optional(Id),
      status: Type.Optional(Delivery.properties.status),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({
    deliveries: Type.Array(Delivery),
    next_cursor: Type.Union([Type.String(), Type.Null()]),
  }),
  limit,
  access: ownerOnly(200),
});

export const redeliver = defineRoute({
  method: 'POST',
  path: '/agents/:agent_id/webhook/deliveries/:delivery_id/redeliver',
  summary: 'Deliver once more, under the same delivery id',
  tag,
  params: DeliveryParams,
  status: 202,
  reply: Accepted,
  limit,
  access: ownerOnly(202),
});

export const WEBHOOK_ROUTES: readonly RouteContract[] = [
  putWebhook,
  getWebhook,
  deleteWebhook,
  rotateWebhook,
  testWebhook,
  listDeliveries,
  redeliver,
];
