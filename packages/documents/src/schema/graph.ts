import type { Json } from '../json/value.ts';
import { enumKeys } from './evaluate/equality.ts';
import type { SchemaNode } from './node.ts';
import { compilePattern, type Pattern } from './pattern.ts';

export type NodeFields = { -readonly [K in keyof Omit<SchemaNode, 'id'>]: SchemaNode[K] };

/**
 * Interns nodes: equal schemas become one node, so that comparing two versions of a manifest costs nothing where they
 * agree. An order without meaning (of enum values, required names, properties, anyOf branches) does not count.
 */
export interface SchemaGraph {
  intern(fields: NodeFields, refKey?: string): SchemaNode;
  /** Compiles each source once; returns undefined if it is not RE2, or if all patterns together grow too large. */
  pattern(source: string): Pattern | undefined;
  /** True if no further pattern will be compiled. */
  isFullOfPatterns(): boolean;
  /** A number for a text that may be as long as the document and would be part of many keys. */
  family(text: string): number;
  /** Nodes with a fixed meaning, for callers that build nodes. */
  readonly anything: SchemaNode;
  readonly nothing: SchemaNode;
}

/** The limit for all patterns of one manifest. Compiling this much takes about half a second on a small machine. */
export const MAX_PATTERN_COST = 100_000;

export function createGraph(maxPatternCost = MAX_PATTERN_COST): SchemaGraph {
  const nodes = new Map<string, SchemaNode>();
  const intern = (fields: NodeFields, refKey?: string): SchemaNode => {
    const key = keyOf(fields, refKey);
    let node = nodes.get(key);
    if (node === undefined) {
      node = { id: nodes.size, ...fields };
      nodes.set(key, node);
    }
    return node;
  };
  const patterns = new Map<string, Pattern | undefined>();
  let patternCost = 0;
  const isFullOfPatterns = () => patternCost > maxPatternCost;
  const pattern = (source: string): Pattern | undefined => {
    if (patterns.has(source)) return patterns.get(source);
    if (isFullOfPatterns()) return undefined;
    const compiled = compilePattern(source);
    patternCost += compiled?.cost ?? 0;
    if (isFullOfPatterns()) return undefined;
    patterns.set(source, compiled);
    return compiled;
  };
  const families = new Map<string, number>();
  const family = (text: string): number => {
    const number = families.get(text) ?? families.size;
    families.set(text, number);
    return number;
  };
  return { intern, pattern, isFullOfPatterns, family, anything: intern({}), nothing: intern({ kinds: 0 }) };
}

function keyOf(fields: NodeFields, refKey: string | undefined): string {
  const names = Object.keys(fields) as (keyof NodeFields)[];
  if (names.length > 1) names.sort();
  let key = '';
  for (const name of names) {
    key += `${name}=${name === 'ref' ? (refKey ?? fields.ref!.target.id) : valueKey(name, fields[name])};`;
  }
  return key;
}

function valueKey(name: keyof NodeFields, value: unknown): string {
  switch (name) {
    case 'enum':
      return enumKeys(value as readonly Json[]).whole;
    case 'pattern':
      return JSON.stringify((value as Pattern).source);
    case 'format':
      return (value as NodeFields['format'])!.name;
    case 'required':
      return JSON.stringify([...(value as string[])].sort());
    case 'dependentRequired':
      return entries(value as ReadonlyMap<string, readonly string[]>, (names) => JSON.stringify([...names].sort()));
    case 'properties':
    case 'dependentSchemas':
      return entries(value as ReadonlyMap<string, SchemaNode>, (node) => String(node.id));
    case 'patternProperties':
      return (value as NonNullable<NodeFields['patternProperties']>)
        .map(([pattern, node]) => `${JSON.stringify(pattern.source)}:${node.id}`)
        .sort()
        .join();
    case 'prefixItems':
      return ids(value as SchemaNode[]).join();
    case 'allOf':
    case 'anyOf':
    case 'oneOf':
      return ids(value as SchemaNode[])
        .sort((a, b) => a - b)
        .join();
    default:
      return typeof value === 'object' ? String((value as SchemaNode).id) : String(value);
  }
}

function entries<T>(map: ReadonlyMap<string, T>, keyOfValue: (value: T) => string): string {
  return [...map]
    .map(([key, value]) => `${JSON.stringify(key)}:${keyOfValue(value)}`)
    .sort()
    .join();
}

function ids(nodes: readonly SchemaNode[]): number[] {
  return nodes.map((node) => node.id);
}
