import type { Block, Card } from '@parley/protocol';

export type Field = Extract<Block, { tag: 'input' | 'select' | 'checkbox' }>;
export type FieldValue = string | boolean;
export type FieldValues = Readonly<Record<string, FieldValue>>;

/** What was typed into one field, with enough about it to say so once the field is gone. */
export interface Typed {
  readonly tag: Field['tag'];
  readonly label: string;
  readonly value: FieldValue;
}

/** What differs from the card, by the id of the field. */
export type CardDraft = ReadonlyMap<string, Typed>;

export const isField = (block: Block): block is Field =>
  block.tag === 'input' || block.tag === 'select' || block.tag === 'checkbox';
export const isSecret = (field: Field): boolean => field.tag === 'input' && field.secret === true;

/** Anything but a draft is an empty one. */
export function parseDraft(text: string): CardDraft {
  try {
    const entries = Object.entries(JSON.parse(text) as Record<string, Typed>);
    const held = entries.filter(([, typed]) => ['string', 'boolean'].includes(typeof typed?.value));
    const labelOf = (id: string, label: unknown) => (typeof label === 'string' ? label : id);
    return new Map(held.map(([id, { tag, label, value }]) => [id, { tag, label: labelOf(id, label), value }]));
  } catch {
    return new Map();
  }
}

export function formatDraft(draft: CardDraft): string {
  return draft.size === 0 ? '' : JSON.stringify(Object.fromEntries(draft));
}

/** What the field holds before anything is typed: what was answered before, or what the agent put there. */
function valueBefore(field: Field, answered: FieldValues | undefined): FieldValue {
  const last = answered !== undefined && Object.hasOwn(answered, field.id) ? answered[field.id] : undefined;
  if (field.tag === 'checkbox') return typeof last === 'boolean' ? last : (field.value ?? false);
  if (field.tag === 'input') return typeof last === 'string' ? last : (field.value ?? '');
  const offers = (value: unknown) => field.options.some((option) => option.value === value);
  return [last, field.value].find((value): value is string => offers(value)) ?? field.options[0]!.value;
}

/** A revision keeps what was typed where id and kind are the same, and can still hold it. */
export function currentValue(field: Field, draft: CardDraft, answered?: FieldValues): FieldValue {
  const typed = draft.get(field.id);
  return typed !== undefined && holds(field, typed) ? typed.value : valueBefore(field, answered);
}

export function setValue(
  draft: CardDraft,
  field: Field,
  { value, answered }: { readonly value: FieldValue; readonly answered?: FieldValues | undefined },
): CardDraft {
  const next = new Map(draft);
  if (value === valueBefore(field, answered)) next.delete(field.id);
  else next.set(field.id, { tag: field.tag, label: field.label ?? field.id, value });
  return next;
}

/** What was sent is no draft any more, but for what was changed meanwhile where the card is shown, too. */
export function withoutSent(draft: CardDraft, sent: CardDraft): CardDraft {
  return new Map(
    [...draft].filter(([id, { tag, value }]) => sent.get(id)?.tag !== tag || sent.get(id)?.value !== value),
  );
}

/** What is the same as in the answer is no draft: an answer may be sent later than the card could see (WC-23). */
export function withoutSame(draft: CardDraft, card: Card, answered: FieldValues | undefined): CardDraft {
  if (answered === undefined) return draft;
  const fields = card.blocks.filter(isField).filter(({ id }) => Object.hasOwn(answered, id));
  const same = fields.filter((field) => draft.get(field.id)?.value === valueBefore(field, answered));
  const ids = new Set(same.map(({ id }) => id));
  return new Map([...draft].filter(([id]) => !ids.has(id)));
}

/** A field that becomes a secret one takes what was typed into it with it: no secret is kept (WC-23). */
export function withoutSecrets(draft: CardDraft, card: Card): CardDraft {
  const secrets = new Set(card.blocks.filter(isField).flatMap((field) => (isSecret(field) ? [field.id] : [])));
  return new Map([...draft].filter(([id]) => !secrets.has(id)));
}

/** What the card has no place for any more; what was empty is missed by nobody. */
export function lostOf(draft: CardDraft, card: Card): readonly (Typed & { readonly id: string })[] {
  const fields = new Map(card.blocks.filter(isField).map((field) => [field.id, field]));
  return [...draft].flatMap(([id, typed]) => {
    const field = fields.get(id);
    const isEmpty = typed.value === '' || typed.value === false;
    return isEmpty || (field !== undefined && holds(field, typed)) ? [] : [{ id, ...typed }];
  });
}

export function withoutLost(draft: CardDraft, card: Card): CardDraft {
  const lost = new Set(lostOf(draft, card).map(({ id }) => id));
  return new Map([...draft].filter(([id]) => !lost.has(id)));
}

function holds(field: Field, { tag, value }: Typed): boolean {
  if (field.tag !== tag || isSecret(field)) return false;
  if (field.tag === 'checkbox') return typeof value === 'boolean';
  return field.tag === 'select' ? field.options.some((option) => option.value === value) : typeof value === 'string';
}
