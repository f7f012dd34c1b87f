import { ID_PATTERN, type Texts } from '@parley/base';
import type { Static, TSchema } from 'typebox';
import { Envelope, Sender } from './envelope.ts';
import { isValid } from './schema/is-valid.ts';
import * as Type from './schema/type.ts';

const closed = { additionalProperties: false } as const;
const Id = Type.String({ pattern: ID_PATTERN });
const Seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Token = Type.String({ minLength: 1, maxLength: 4096 });
const ClientMessageId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' });
/** At most 16 KB, sealed for the members by the sender of the stream. */
const Sealed = Type.Optional(Type.String({ pattern: '^[A-Za-z0-9_-]*$', maxLength: 16 * 1024 }));
const stream = { conversation_id: Id, stream_id: Id };

/** What a client may send (TR-1). When it does, and what answers it, is in `frame-notes.ts`. */
export const CLIENT_FRAMES = {
  auth: frame('auth', { token: Token, agent_id: Type.Optional(Id) }),
  'auth.renew': frame('auth.renew', { token: Token }),
  resume: frame('resume', {
    conversations: Type.Optional(Type.Record(Id, Seq, closed)),
    event_id: Type.Optional(Seq),
  }),
  send: frame('send', { envelope: Envelope }),
  ack: frame('ack', { conversation_id: Id, seq: Seq }),
  'event.ack': frame('event.ack', { event_id: Seq }),
  claim: frame('claim', { message_id: Id, conversation_id: Id }),
  pass: frame('pass', { message_id: Id, conversation_id: Id }),
  typing: frame('typing', { conversation_id: Id }),
  'stream.start': frame('stream.start', { ...stream, sealed: Sealed }),
  'stream.delta': frame('stream.delta', { ...stream, index: Seq, sealed: Sealed }),
  'stream.done': frame('stream.done', { ...stream, client_message_id: Type.Optional(ClientMessageId) }),
  'stream.abort': frame('stream.abort', { ...stream }),
  'stream.error': frame('stream.error', { ...stream, code: Type.String({ pattern: '^[A-Z_]{1,64}$' }) }),
  ping: frame('ping', {}),
} as const satisfies Record<string, TSchema>;

const error = {
  code: Type.String(),
  message: Type.String(),
  i18n_key: Type.String(),
  params: Type.Record(Type.String(), Type.Unknown()),
};
const relayed = { ...stream, sender: Sender };

/** What the server sends besides events, which come as `{ type, event_id, … }` (see EVENTS). */
export const SERVER_FRAMES = {
  'auth.ok': frame('auth.ok', { expires_at: Type.Union([Type.String(), Type.Null()]) }),
  'auth.error': frame('auth.error', { reason: Type.String(), message: Type.String(), i18n_key: Type.String() }),
  'message.new': frame('message.new', {
    message_id: Id,
    conversation_id: Id,
    conversation_seq: Seq,
    client_message_id: ClientMessageId,
    sender: Sender,
    content_type: Type.String(),
    msg_subtype: Type.String(),
    created_at: Type.String(),
    received_at: Type.String({ description: 'When the server stored it.' }),
    envelope: Envelope,
  }),
  'message.ack': frame('message.ack', { client_message_id: ClientMessageId, message_id: Id, conversation_seq: Seq }),
  'message.gone': frame('message.gone', { conversation_id: Id, from_seq: Seq, to_seq: Seq }),
  'message.claimed': frame('message.claimed', { conversation_id: Id, message_id: Id, device_id: Id }),
  'claim.result': frame('claim.result', { message_id: Id, claimed: Type.Boolean() }),
  'pass.result': frame('pass.result', { message_id: Id, last: Type.Boolean() }),
  'pass.last': frame('pass.last', { message_id: Id, conversation_id: Id }),
  'message.read': frame('message.read', { conversation_id: Id, reader: Sender, seq: Seq }),
  error: frame('error', {
    ...error,
    client_message_id: Type.Optional(ClientMessageId),
    conversation_id: Type.Optional(Id),
    message_id: Type.Optional(Id),
  }),
  typing: frame('typing', { conversation_id: Id, sender: Sender }),
  'stream.start': frame('stream.start', { ...relayed, sealed: Sealed }),
  'stream.delta': frame('stream.delta', { ...relayed, index: Seq, sealed: Sealed }),
  'stream.done': frame('stream.done', { ...relayed, client_message_id: Type.Optional(ClientMessageId) }),
  'stream.abort': frame('stream.abort', { ...relayed, reason: Type.Optional(Type.String()) }),
  'stream.error': frame('stream.error', { ...relayed, code: Type.String() }),
  pong: frame('pong', {}),
  'server.closing': frame('server.closing', {}),
} as const satisfies Record<string, TSchema>;

function frame<const Name extends string, const Fields extends Record<string, TSchema>>(name: Name, fields: Fields) {
  return Type.Object({ type: Type.Literal(name), ...fields }, closed);
}

export type ClientFrame = {
  [Name in keyof typeof CLIENT_FRAMES]: Static<(typeof CLIENT_FRAMES)[Name]>;
}[keyof typeof CLIENT_FRAMES];
export type ServerFrame = {
  [Name in keyof typeof SERVER_FRAMES]: Static<(typeof SERVER_FRAMES)[Name]>;
}[keyof typeof SERVER_FRAMES];

/** `auth.error.reason` (TR-1). */
export const AUTH_REASONS = {
  auth_required: { en: 'The first frame must be auth.', 'zh-CN': '第一帧必须是“auth”。' },
  timeout: { en: 'No auth frame arrived in time.', 'zh-CN': '未在规定时间内收到“auth”帧。' },
  invalid_token: { en: 'The token is wrong, expired or revoked.', 'zh-CN': '令牌错误、已过期或已被吊销。' },
  wrong_caller: {
    en: 'The token belongs to someone else than this socket is for.',
    'zh-CN': '该令牌不属于此连接对应的用户或 Agent。',
  },
  expired: { en: 'The token has expired and was not renewed.', 'zh-CN': '令牌已过期且未续期。' },
  revoked: { en: 'The token or session was revoked.', 'zh-CN': '令牌或会话已被吊销。' },
} as const satisfies Record<string, Texts>;
export type AuthReason = keyof typeof AUTH_REASONS;

/** Why the server closes a socket. */
export const CLOSE_CODES = {
  goingAway: 1001,
  badFrames: 4000,
  auth: 4001,
  tooSlow: 4008,
  replaced: 4009,
} as const;

/** Returns undefined for what is not a frame. */
export function readClientFrame(value: unknown): ClientFrame | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'type')) return undefined;
  const { type } = value as { type: unknown };
  if (typeof type !== 'string' || !Object.hasOwn(CLIENT_FRAMES, type)) return undefined;
  return isValid(CLIENT_FRAMES[type as keyof typeof CLIENT_FRAMES], value) ? (value as ClientFrame) : undefined;
}
