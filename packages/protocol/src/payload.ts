import type { Json, JsonObject } from '@parley/documents';
import type { Static, TSchema } from 'typebox';
import { Card, CardAnswer, cardTexts } from './card.ts';
import { findFlaw, MAX_NESTING } from './payload-flaw.ts';
import { isValid } from './schema/is-valid.ts';
import * as Type from './schema/type.ts';
import { exceedsBytes } from './utf8.ts';

// The content of an opened envelope. It comes from the other side, so nothing of it is used unchecked. A new kind of
// payload is a schema and a row of PAYLOADS; everything else reads that table.

/** The most characters of a text (TC-9). */
const MAX_TEXT = 100_000;
/** The most bytes of an artifact as JSON (TC-10). */
export const MAX_ARTIFACT_BYTES = 64 * 1024;

const Any = Type.Unsafe<Json>(Type.Unknown());
const AnyObject = Type.Unsafe<JsonObject>(Type.Record(Type.String(), Type.Unknown()));
const Name = Type.String({ minLength: 1, maxLength: 128 });
const Short = Type.String({ maxLength: 1_000 });
const Time = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?Z$' });

const Text = Type.Object({ type: Type.Literal('text'), text: Type.String({ maxLength: MAX_TEXT }) });
/** Small enough to travel inside the message. */
const Attachment = Type.Object({
  type: Type.Enum(['image', 'video', 'audio', 'file'] as const),
  name: Type.String({ minLength: 1, maxLength: 255 }),
  mime_type: Type.String({ maxLength: 127, pattern: '^[\\w.+-]+/[\\w.+-]+$' }),
  /** The bytes as base64. */
  data: Type.String({ maxLength: 300_000, pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
  caption: Type.Optional(Type.String({ maxLength: 4_000 })),
});
const System = Type.Object({ type: Type.Literal('system'), code: Name, params: Type.Optional(AnyObject) });

/** Half a surrogate pair has no canonical form: a call with such a name could be run, but not recorded (CG-12). */
const whole = { maxLength: 128, pattern: '^(?:[^\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$' };

/** A tool call of an agent (TC-2). */
export const ToolCall = Type.Object({
  subtype: Type.Literal('tool_call'),
  call_id: Type.String({ minLength: 1, ...whole }),
  tool_name: Type.String(whole),
  arguments: AnyObject,
  permission_scope: Type.String(whole),
  timeout_ms: Type.Integer({ minimum: 1, maximum: 600_000 }),
  expires_at: Type.Optional(Time),
});
/** The answer to a tool call (TC-3). */
export const ToolResponse = Type.Object({
  subtype: Type.Literal('tool_response'),
  call_id: Name,
  status: Type.Union([Type.Literal('ok'), Type.Literal('denied'), Type.Literal('error')]),
  result: Type.Optional(Any),
  reason: Type.Optional(Type.String({ maxLength: 128 })),
  error_code: Type.Optional(Type.String({ maxLength: 128 })),
  message: Type.Optional(Short),
  /** With a refusal that time alone ends (CG-14). */
  retry_after_ms: Type.Optional(Type.Integer({ minimum: 0, maximum: 86_400_000 })),
});

export type ToolCall = Static<typeof ToolCall>;
export type ToolResponse = Static<typeof ToolResponse>;
export type TextPayload = Static<typeof Text>;
export type AttachmentPayload = Static<typeof Attachment>;
export type SystemPayload = Static<typeof System>;
export interface ArtifactPayload<A> {
  readonly type: 'artifact';
  readonly artifact: A;
}

/** Describes a kind of payload for all packages, by the label on its envelope (TC-1, TC-6). */
interface PayloadKind<P extends { readonly type: string }> {
  readonly schema: TSchema;
  readonly contentType: P['type'];
  /** Who may send it; anyone by default. */
  readonly from?: 'agent' | 'human';
  /** A message is shown and stored. A call goes to the guard of a device; an answer goes back to the caller. */
  readonly role: 'message' | 'call' | 'answer';
  /** The largest size of the whole payload as JSON. */
  readonly maxBytes?: number;
  /** Returns what the sender wrote; empty where they wrote nothing. */
  text(payload: P): string;
  /** Returns one line about it, for lists and notices. */
  title(payload: P): string;
  /** Returns the text that a search looks through. */
  searchText(payload: P): string;
}
const kind = <P extends { readonly type: string }>(row: PayloadKind<P>): PayloadKind<P> => row;

const attachment = (contentType: AttachmentPayload['type']) =>
  kind<AttachmentPayload>({
    schema: Attachment,
    contentType,
    role: 'message',
    text: ({ caption }) => caption ?? '',
    title: ({ name }) => name,
    searchText: ({ name, caption }) => `${name} ${caption ?? ''}`,
  });

const inArtifact = (inside: TSchema) => Type.Object({ type: Type.Literal('artifact'), artifact: inside });
const artifact = { contentType: 'artifact', maxBytes: MAX_ARTIFACT_BYTES, text: () => '' } as const;
const card = {
  ...artifact,
  role: 'message',
  title: (payload: ArtifactPayload<Card>) => payload.artifact.title ?? payload.artifact.subtype,
  searchText: (payload: ArtifactPayload<Card>) => cardTexts(payload.artifact).join(' '),
} as const;

/** A tool call under any other label than its own does not fit (TC-6). */
export const PAYLOADS = {
  text: kind<TextPayload>({
    schema: Text,
    contentType: 'text',
    role: 'message',
    text: ({ text }) => text,
    title: ({ text }) => text,
    searchText: ({ text }) => text,
  }),
  image: attachment('image'),
  video: attachment('video'),
  audio: attachment('audio'),
  file: attachment('file'),
  system: kind<SystemPayload>({
    schema: System,
    contentType: 'system',
    role: 'message',
    text: () => '',
    title: ({ code }) => code,
    searchText: () => '',
  }),
  artifact: kind<ArtifactPayload<Card>>({ ...card, schema: inArtifact(Card) }),
  artifact_update: kind<ArtifactPayload<Card>>({
    ...card,
    schema: inArtifact(Type.Intersect([Card, Type.Object({ revision: Type.Integer({ minimum: 2 }) })])),
  }),
  artifact_tool_call: kind<ArtifactPayload<ToolCall>>({
    ...artifact,
    schema: inArtifact(ToolCall),
    from: 'agent',
    role: 'call',
    title: (payload) => payload.artifact.tool_name,
    searchText: (payload) => payload.artifact.tool_name,
  }),
  artifact_response: kind<ArtifactPayload<ToolResponse> | ArtifactPayload<CardAnswer>>({
    ...artifact,
    schema: inArtifact(Type.Union([ToolResponse, CardAnswer])),
    from: 'human',
    role: 'answer',
    title: (payload) => payload.artifact.subtype,
    searchText: () => '',
  }),
};

export type MsgSubtype = keyof typeof PAYLOADS;
export type Payload = {
  [Label in MsgSubtype]: (typeof PAYLOADS)[Label] extends PayloadKind<infer P> ? P : never;
}[MsgSubtype];
export type ContentType = Payload['type'];
/** Payloads whose role is `message`. */
export type MessagePayload = Exclude<Payload, ArtifactPayload<ToolCall | ToolResponse | CardAnswer>>;

export const MSG_SUBTYPES = Object.keys(PAYLOADS) as MsgSubtype[];
/** The content types of all payloads (TC-9). */
export const CONTENT_TYPES = [...new Set(Object.values(PAYLOADS).map(({ contentType }) => contentType as ContentType))];

interface Label {
  readonly content_type: ContentType;
  readonly msg_subtype: MsgSubtype;
}

const rowOf = (label: MsgSubtype): PayloadKind<Payload> => PAYLOADS[label] as PayloadKind<Payload>;
const rowFor = (payload: Payload) => rowOf(labelOf(payload).msg_subtype);

/** Returns the payload that the label promises, or undefined. */
export function readPayload(label: Label, value: unknown): Payload | undefined {
  if (!isValid(PAYLOADS[label.msg_subtype].schema, value)) return undefined;
  const payload = value as Payload;
  return payload.type === label.content_type ? payload : undefined;
}

/**
 * Returns the label and the text that a payload is sealed as. Throws a TypeError for what every receiver would refuse.
 */
export function encodePayload(payload: Payload): { readonly label: Label; readonly text: string } {
  const label = labelOf(payload);
  if (readPayload(label, payload) === undefined) {
    const what = payload.type === 'artifact' ? `artifact (${payload.artifact.subtype})` : payload.type;
    throw new TypeError(
      `${what}: a field is missing, of the wrong kind or too long (see the guide, "What can be sent")`,
    );
  }
  if (findFlaw(payload) === 'nesting') throw new TypeError(`${payload.type}: nested deeper than ${MAX_NESTING} levels`);
  const text = JSON.stringify(payload);
  const { maxBytes } = PAYLOADS[label.msg_subtype];
  if (maxBytes !== undefined && exceedsBytes(text, maxBytes)) {
    throw new TypeError(`${label.content_type}: larger than ${maxBytes / 1024} KB`);
  }
  return { label, text };
}

export const isToolCall = (payload: Payload): payload is ArtifactPayload<ToolCall> =>
  payload.type === 'artifact' && payload.artifact.subtype === 'tool_call';
export const isToolResponse = (payload: Payload): payload is ArtifactPayload<ToolResponse> =>
  payload.type === 'artifact' && payload.artifact.subtype === 'tool_response';
export const isMessage = (payload: Payload): payload is MessagePayload => rowFor(payload).role === 'message';

export const textOf = (payload: Payload): string => rowFor(payload).text(payload);
export const titleOf = (payload: Payload): string => rowFor(payload).title(payload);
export const searchTextOf = (payload: Payload): string => rowFor(payload).searchText(payload);

/** Returns the label of a payload (TC-1). */
export function labelOf(payload: Payload): Label {
  if (payload.type !== 'artifact') return { content_type: payload.type, msg_subtype: payload.type };
  return { content_type: 'artifact', msg_subtype: artifactLabel(payload.artifact) };
}

function artifactLabel(inside: ToolCall | ToolResponse | Card | CardAnswer): MsgSubtype {
  if (inside.subtype === 'tool_call') return 'artifact_tool_call';
  if (inside.subtype === 'tool_response' || 'action' in inside) return 'artifact_response';
  return 'revision' in inside && (inside.revision ?? 1) > 1 ? 'artifact_update' : 'artifact';
}
