import { join } from '../../json/pointer.ts';
import type { Json } from '../../json/value.ts';
import type { NodeFields, SchemaGraph } from '../graph.ts';
import type { SchemaNode } from '../node.ts';
import type { ReadSubschema } from '../read.ts';
import type { SchemaChange } from './change.ts';
import { locate } from './locate.ts';
import { keyword } from './location.ts';

/** The smallest set of keywords that means something by itself, as a schema of its own. */
export interface Group {
  /** Groups with the same key on both sides are two versions of one thing. */
  readonly key: string;
  readonly keyword: string;
  readonly pointer: string;
  readonly raw: Json | undefined;
  readonly node: SchemaNode;
}

const SINGLE: readonly (readonly [keyword: string, ...fields: (keyof NodeFields)[]])[] = [
  ['minimum', 'minimum'],
  ['exclusiveMinimum', 'exclusiveMinimum'],
  ['maximum', 'maximum'],
  ['exclusiveMaximum', 'exclusiveMaximum'],
  ['multipleOf', 'multipleOf'],
  ['minLength', 'minLength'],
  ['maxLength', 'maxLength'],
  ['pattern', 'pattern'],
  ['format', 'format'],
  ['contains', 'contains', 'minContains', 'maxContains'],
  ['minItems', 'minItems'],
  ['maxItems', 'maxItems'],
  ['uniqueItems', 'uniqueItems'],
  ['propertyNames', 'propertyNames'],
  ['minProperties', 'minProperties'],
  ['maxProperties', 'maxProperties'],
  ['dependentRequired', 'dependentRequired'],
  ['dependentSchemas', 'dependentSchemas'],
  ['anyOf', 'anyOf'],
  ['oneOf', 'oneOf'],
  ['not', 'not'],
  ['if', 'if', 'then', 'else'],
];

/** What a subschema says, group by group, apart from its properties, items and `allOf` parts. */
export function groupsOf(subschema: ReadSubschema, graph: SchemaGraph): Group[] {
  const { node, raw } = subschema;
  const groups: Group[] = [];
  const add = (name: string, fields: NodeFields | SchemaNode, key = name) => {
    const made = 'id' in fields ? fields : graph.intern(fields);
    groups.push({
      key,
      keyword: name,
      pointer: join(subschema.pointer, name),
      raw: keyword(subschema, name),
      node: made,
    });
  };
  if (raw === false) {
    groups.push({ key: 'false', keyword: '', pointer: subschema.pointer, raw, node });
    return groups;
  }
  if (raw === true) return groups;
  // A subschema that is only a reference has the node of its target, whose keywords are the target's own.
  const own = (name: string) => Object.hasOwn(raw, name);
  if (own('type')) add('type', { kinds: node.kinds! });
  if (own('enum') || own('const'))
    add(own('enum') ? 'enum' : 'const', node.enum ? { enum: node.enum } : { kinds: 0 }, 'enum');
  for (const [name, ...fields] of SINGLE) {
    if (!own(name) || node[fields[0]!] === undefined) continue;
    add(name, Object.fromEntries(fields.filter((f) => node[f] !== undefined).map((f) => [f, node[f]])) as NodeFields);
  }
  for (const [pattern, part] of own('patternProperties') ? (node.patternProperties ?? []) : []) {
    const pointer = join(`${subschema.pointer}/patternProperties`, pattern.source);
    groups.push({
      key: `patternProperties ${pattern.source}`,
      keyword: 'patternProperties',
      pointer,
      raw: undefined,
      node: graph.intern({ patternProperties: [[pattern, part]] }),
    });
  }
  if (own('additionalProperties')) add('additionalProperties', additional(node, graph));
  for (const name of ['unevaluatedProperties', 'unevaluatedItems'] as const) if (own(name)) add(name, node);
  return groups;
}

function additional(node: SchemaNode, graph: SchemaGraph): NodeFields {
  const fields: NodeFields = { additionalProperties: node.additionalProperties! };
  if (node.properties) fields.properties = new Map([...node.properties.keys()].map((name) => [name, graph.anything]));
  if (node.patternProperties) {
    fields.patternProperties = node.patternProperties.map(([pattern]) => [pattern, graph.anything]);
  }
  return fields;
}

/** The position and value of a group, and its old value. */
export function edit(now: Group, was?: Group): Pick<SchemaChange, 'path' | 'keyword' | 'before' | 'after'> {
  return {
    path: was?.raw !== undefined && now.raw !== undefined ? locate(was.raw, now.raw, now.pointer) : now.pointer,
    keyword: now.keyword,
    ...(was?.raw === undefined ? {} : { before: was.raw }),
    ...(now.raw === undefined ? {} : { after: now.raw }),
  };
}

export function removal(was: Group): Pick<SchemaChange, 'path' | 'keyword' | 'before'> {
  return { path: was.pointer, keyword: was.keyword, ...(was.raw === undefined ? {} : { before: was.raw }) };
}
