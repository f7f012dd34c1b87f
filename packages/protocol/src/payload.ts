import type { Json, JsonObject } from '@parley/documents';
import type { Static } from 'typebox';
import * as Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { Header } from './envelope.ts';

// What is inside an envelope, once it has been opened. It comes from the other side: nothing of it is used unchecked.

const closed = { additionalProperties: false } as const;
/** TC-9. */
const MAX_TEXT = 100_000;
/** TC-10. */
const MAX_BLOCKS = 16;
export const MAX_ARTIFACT_BYTES = 64 * 1024;
export const MAX_REVISION = 100;

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
  /** Base64. */
  data: Type.String({ maxLength: 300_000, pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
  caption: Type.Optional(Type.String({ maxLength: 4_000 })),
});
const System = Type.Object({ type: Type.Literal('system'), code: Name, params: Type.Optional(AnyObject) });

/** Half a surrogate pair has no canonical form: a call named so could be run, but not written down (CG-12). */
const whole = { maxLength: 128, pattern: '^(?:[^\\ud800-\\udfff]|[\\ud800-\\udbff][\\udc00-\\udfff])*$' };

/** TC-2. */
export const ToolCall = Type.Object({
  subtype: Type.Literal('tool_call'),
  call_id: Type.String({ minLength: 1, ...whole }),
  tool_name: Type.String(whole),
  arguments: AnyObject,
  permission_scope: Type.String(whole),
  timeout_ms: Type.Integer({ minimum: 1, maximum: 600_000 }),
  expires_at: Type.Optional(Time),
});
/** TC-3. */
export const ToolResponse = Type.Object({
  subtype: Type.Literal('tool_response'),
  call_id: Name,
  status: Type.Union([Type.Literal('ok'), Type.Literal('denied'), Type.Literal('error')]),
  result: Type.Optional(Any),
  reason: Type.Optional(Type.String({ maxLength: 128 })),
  error_code: Type.Optional(Type.String({ maxLength: 128 })),
  message: Type.Optional(Short),
});

const field = { id: Name, label: Type.Optional(Short), required: Type.Optional(Type.Boolean()) };
const Option = Type.Object({ value: Type.String({ maxLength: 256 }), label: Short }, closed);
const Tone = Type.Enum(['info', 'success', 'warning', 'error'] as const);

/** TC-10. */
export const Block = Type.Union([
  Type.Object(
    {
      tag: Type.Literal('input'),
      ...field,
      value: Type.Optional(Type.String({ maxLength: 60_000 })),
      placeholder: Type.Optional(Short),
      multiline: Type.Optional(Type.Boolean()),
      /** Shown as dots, never kept. */
      secret: Type.Optional(Type.Boolean()),
    },
    closed,
  ),
  Type.Object(
    {
      tag: Type.Literal('select'),
      ...field,
      options: Type.Array(Option, { minItems: 1, maxItems: 100 }),
      value: Type.Optional(Type.String({ maxLength: 256 })),
    },
    closed,
  ),
  Type.Object({ tag: Type.Literal('checkbox'), ...field, value: Type.Optional(Type.Boolean()) }, closed),
  Type.Object(
    {
      tag: Type.Literal('action'),
      id: Name,
      label: Short,
      style: Type.Optional(Type.Union([Type.Literal('primary'), Type.Literal('danger'), Type.Literal('plain')])),
    },
    closed,
  ),
  Type.Object({ tag: Type.Literal('text'), text: Type.String({ maxLength: 20_000 }) }, closed),
  Type.Object({ tag: Type.Literal('status'), text: Short, tone: Type.Optional(Tone) }, closed),
  Type.Object(
    {
      tag: Type.Literal('table'),
      columns: Type.Array(Short, { minItems: 1, maxItems: 20 }),
      rows: Type.Array(Type.Array(Short, { maxItems: 20 }), { maxItems: 200 }),
    },
    closed,
  ),
  Type.Object(
    { tag: Type.Literal('code'), text: Type.String({ maxLength: 60_000 }), language: Type.Optional(Name) },
    closed,
  ),
  Type.Object(
    {
      tag: Type.Literal('image'),
      mime_type: Type.String({ pattern: '^image/(png|jpeg|gif|webp)$' }),
      data: Type.String({ maxLength: 60_000, pattern: '^[A-Za-z0-9+/]*={0,2}$' }),
      alt: Short,
    },
    closed,
  ),
  Type.Object({ tag: Type.Literal('divider') }, closed),
]);
export type Block = Static<typeof Block>;

export const ARTIFACT_KINDS = ['form', 'status', 'progress', 'approval', 'app'] as const;
const Kind = Type.Enum(ARTIFACT_KINDS);

/** A card. Sent again under a higher revision it replaces itself; its subtype never changes (TC-1). */
export const Card = Type.Object({
  artifact_id: Name,
  subtype: Kind,
  title: Type.Optional(Short),
  blocks: Type.Array(Block, { maxItems: MAX_BLOCKS }),
  /** Of `progress`: 0 to 1. */
  progress: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  revision: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_REVISION })),
});
/** What a person did with a card. */
export const CardAnswer = Type.Object({
  artifact_id: Name,
  subtype: Kind,
  action: Name,
  values: Type.Optional(Type.Record(Type.String({ maxLength: 128 }), Type.Union([Type.String(), Type.Boolean()]))),
});

export type ToolCall = Static<typeof ToolCall>;
export type ToolResponse = Static<typeof ToolResponse>;
export type Card = Static<typeof Card>;
export type CardAnswer = Static<typeof CardAnswer>;
export type TextPayload = Static<typeof Text>;
export type AttachmentPayload = Static<typeof Attachment>;
export type SystemPayload = Static<typeof System>;
export interface ArtifactPayload<A> {
  readonly type: 'artifact';
  readonly artifact: A;
}
/** By the label that the envelope carries (TC-6). */
export type Payload =
  | TextPayload
  | AttachmentPayload
  | SystemPayload
  | ArtifactPayload<ToolCall>
  | ArtifactPayload<ToolResponse>
  | ArtifactPayload<Card>
  | ArtifactPayload<CardAnswer>;

const artifact = (inside: Type.TSchema) => Type.Object({ type: Type.Literal('artifact'), artifact: inside });

/** What may be inside under each label. A tool call under any other than its own does not fit (TC-6). */
const SCHEMAS = {
  text: Text,
  image: Attachment,
  video: Attachment,
  audio: Attachment,
  file: Attachment,
  system: System,
  artifact: artifact(Card),
  artifact_update: artifact(Type.Intersect([Card, Type.Object({ revision: Type.Integer({ minimum: 2 }) })])),
  artifact_tool_call: artifact(ToolCall),
  artifact_response: artifact(Type.Union([ToolResponse, CardAnswer])),
} as const satisfies Record<Header['msg_subtype'], Type.TSchema>;

const checks = new Map<Header['msg_subtype'], { Check(value: unknown): boolean }>();

/** Compiled when first needed: most programs that load this never open a message. */
function checkFor(label: Header['msg_subtype']): { Check(value: unknown): boolean } {
  let check = checks.get(label);
  if (check === undefined) {
    check = Compile(SCHEMAS[label]);
    checks.set(label, check);
  }
  return check;
}

/** The payload that the label promises, or undefined. */
export function readPayload(label: Pick<Header, 'content_type' | 'msg_subtype'>, value: unknown): Payload | undefined {
  if (!checkFor(label.msg_subtype).Check(value)) return undefined;
  const payload = value as Payload;
  return payload.type === label.content_type ? payload : undefined;
}

export const isToolCall = (payload: Payload): payload is ArtifactPayload<ToolCall> =>
  payload.type === 'artifact' && payload.artifact.subtype === 'tool_call';
export const isToolResponse = (payload: Payload): payload is ArtifactPayload<ToolResponse> =>
  payload.type === 'artifact' && payload.artifact.subtype === 'tool_response';

/** The label a payload travels under (TC-1). */
export function labelOf(payload: Payload): Pick<Header, 'content_type' | 'msg_subtype'> {
  if (payload.type !== 'artifact') return { content_type: payload.type, msg_subtype: payload.type };
  return { content_type: 'artifact', msg_subtype: artifactLabel(payload.artifact) };
}

function artifactLabel(inside: ToolCall | ToolResponse | Card | CardAnswer): Header['msg_subtype'] {
  if (inside.subtype === 'tool_call') return 'artifact_tool_call';
  if (inside.subtype === 'tool_response' || 'action' in inside) return 'artifact_response';
  return 'revision' in inside && (inside.revision ?? 1) > 1 ? 'artifact_update' : 'artifact';
}
