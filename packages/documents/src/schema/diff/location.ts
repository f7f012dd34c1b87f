import { join } from '../../json/pointer.ts';
import { get, isObject, type Json } from '../../json/value.ts';
import type { SchemaGraph } from '../graph.ts';
import type { SchemaNode } from '../node.ts';
import type { ReadSubschema } from '../read.ts';
import type { Step } from './change.ts';

/** One version of a schema. */
export interface Version {
  readonly root: SchemaNode;
  readonly subschemas: ReadonlyMap<string, ReadSubschema>;
  /** Translates pointers of its subschemas to those of the document. */
  readonly written: (pointer: string) => string;
}

/**
 * All subschemas that a value at one position must satisfy together: through `allOf` and `$ref`, not through choices.
 */
export function closure(version: Version, start: readonly ReadSubschema[]): ReadSubschema[] {
  const members = new Map<string, ReadSubschema>();
  const add = (subschema: ReadSubschema): void => {
    if (members.has(subschema.pointer)) return;
    members.set(subschema.pointer, subschema);
    if (subschema.ref) add(subschema.ref);
    for (const part of childList(version, subschema, 'allOf')) add(part);
  };
  start.forEach(add);
  return [...members.values()];
}

export function keyword(subschema: ReadSubschema, name: string): Json | undefined {
  return isObject(subschema.raw) ? get(subschema.raw, name) : undefined;
}

export function child(
  version: Version,
  subschema: ReadSubschema,
  ...steps: (string | number)[]
): ReadSubschema | undefined {
  return version.subschemas.get(steps.reduce<string>(join, subschema.pointer));
}

function childList(version: Version, subschema: ReadSubschema, name: string): ReadSubschema[] {
  const list = keyword(subschema, name);
  return Array.isArray(list) ? list.map((_, index) => child(version, subschema, name, index)!) : [];
}

/** What each member says about one property by name. */
export function propertySubschemas(version: Version, members: readonly ReadSubschema[], name: string): ReadSubschema[] {
  return members.flatMap((member) => child(version, member, 'properties', name) ?? []);
}

export function propertyNames(members: readonly ReadSubschema[]): Set<string> {
  const names = new Set<string>();
  for (const member of members) {
    const properties = keyword(member, 'properties');
    if (isObject(properties)) for (const name of Object.keys(properties)) names.add(name);
  }
  return names;
}

/** What each member says about the item at an index. */
export function itemSubschemas(version: Version, members: readonly ReadSubschema[], index: number): ReadSubschema[] {
  return members.flatMap(
    (member) =>
      child(version, member, 'prefixItems', index) ??
      (prefixLength(member) <= index ? (child(version, member, 'items') ?? []) : []),
  );
}

export function longestPrefix(members: readonly ReadSubschema[]): number {
  return Math.max(0, ...members.map(prefixLength));
}

function prefixLength(member: ReadSubschema): number {
  const list = keyword(member, 'prefixItems');
  return Array.isArray(list) ? list.length : 0;
}

/** Builds a schema that requires `node` of the part at the steps, and nothing else. */
export function at(graph: SchemaGraph, steps: readonly Step[], node: SchemaNode): SchemaNode {
  return steps.reduceRight<SchemaNode>((inner, step) => {
    if (typeof step === 'string') return graph.intern({ properties: new Map([[step, inner]]) });
    if (typeof step === 'number') {
      return graph.intern({ prefixItems: [...Array<SchemaNode>(step).fill(graph.anything), inner] });
    }
    if (step.from === 0) return graph.intern({ items: inner });
    return graph.intern({ prefixItems: Array<SchemaNode>(step.from).fill(graph.anything), items: inner });
  }, node);
}
