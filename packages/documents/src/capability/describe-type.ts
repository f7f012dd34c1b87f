import { fillText, type Locale } from '@parley/base';
import { displayText } from '../display-text.ts';
import { Kind, type SchemaNode } from '../schema/node.ts';
import { PREVIEW_TEXTS } from './preview-texts.ts';

const MAX_VALUES = 6;
const MAX_VALUE_LENGTH = 40;
const MAX_HOPS = 8;
const SIMPLE_KINDS = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null'] as const;

/**
 * Describes a parameter in a few words for readers who have never seen a schema. It is not exact: bounds are left out.
 */
export function describeType(schema: SchemaNode, locale: Locale, isItem = false): string {
  const texts = PREVIEW_TEXTS[locale];
  const node = followReference(schema);
  if (node.enum !== undefined) {
    const values = node.enum.slice(0, MAX_VALUES).map((value) => displayText(JSON.stringify(value), MAX_VALUE_LENGTH));
    if (node.enum.length > MAX_VALUES) values.push('…');
    return fillText(texts.oneOf, { values: values.join(texts.comma) });
  }
  const { kinds } = node;
  if (kinds === undefined || kinds === Kind.any) return texts.anything;
  if (kinds === 0) return texts.nothing;
  if (kinds === Kind.array && node.items !== undefined && !isItem) {
    return fillText(texts.listOf, { type: describeType(node.items, locale, true) });
  }
  if (kinds === Kind.string && node.format !== undefined) {
    return fillText(texts.withFormat, { type: texts.kinds.string, format: node.format.name });
  }
  const named = SIMPLE_KINDS.filter((name) => {
    if (name === 'integer' && (kinds & Kind.number) === Kind.number) return false;
    return (kinds & Kind[name]) === Kind[name];
  });
  return named.map((name) => texts.kinds[name]).join(texts.or);
}

function followReference(schema: SchemaNode): SchemaNode {
  let node = schema;
  for (let hop = 0; hop < MAX_HOPS && node.ref !== undefined; hop++) {
    if (node.enum !== undefined || node.kinds !== undefined) break;
    node = node.ref.target;
  }
  return node;
}
