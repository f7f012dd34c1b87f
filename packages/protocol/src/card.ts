import type { Static } from 'typebox';
import * as Type from './schema/type.ts';

const closed = { additionalProperties: false } as const;
/** The most blocks of a card (TC-10). */
const MAX_BLOCKS = 16;
export const MAX_REVISION = 100;

const Name = Type.String({ minLength: 1, maxLength: 128 });
const Short = Type.String({ maxLength: 1_000 });
const field = { id: Name, label: Type.Optional(Short), required: Type.Optional(Type.Boolean()) };
const Option = Type.Object({ value: Type.String({ maxLength: 256 }), label: Short }, closed);
const Tone = Type.Enum(['info', 'success', 'warning', 'error'] as const);

/** A part of a card; its limits are those of TC-10. */
export const Block = Type.Union([
  Type.Object(
    {
      tag: Type.Literal('input'),
      ...field,
      value: Type.Optional(Type.String({ maxLength: 60_000 })),
      placeholder: Type.Optional(Short),
      multiline: Type.Optional(Type.Boolean()),
      /** The value is shown as dots, and never stored. */
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

/** A card. A higher revision replaces the earlier one; its subtype never changes (TC-1). */
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

export type Card = Static<typeof Card>;
export type CardAnswer = Static<typeof CardAnswer>;

/** Returns the texts of a card that a search looks through. */
export function cardTexts({ title, blocks }: Card): string[] {
  const texts = blocks.flatMap((block) =>
    'text' in block ? [block.text] : 'label' in block ? [block.label ?? ''] : [],
  );
  return [title ?? '', ...texts];
}
