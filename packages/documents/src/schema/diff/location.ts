import { join } from '../../json/pointer.ts';
import { get, isObject, type Json } from '../../json/value.ts';
import type { SchemaGraph } from '../graph.ts';
import type { SchemaNode } from '../node.ts';
import type { ReadPlace } from '../read.ts';
import type { Step } from './change.ts';

/** One version of a schema. */
export interface Version {
  readonly root: SchemaNode;
  readonly places: ReadonlyMap<string, ReadPlace>;
  /** From pointers of its places to those of the document. */
  readonly written: (pointer: string) => string;
}

/** All subschemas that a value at one place must satisfy together: through `allOf` and `$ref`, not through choices. */
export function closure(version: Version, start: readonly ReadPlace[]): ReadPlace[] {
  const members = new Map<string, ReadPlace>();
  const add = (place: ReadPlace): void => {
    if (members.has(place.pointer)) return;
    members.set(place.pointer, place);
    if (place.ref) add(place.ref);
    for (const part of childList(version, place, 'allOf')) add(part);
  };
  start.forEach(add);
  return [...members.values()];
}

export function keyword(place: ReadPlace, name: string): Json | undefined {
  return isObject(place.raw) ? get(place.raw, name) : undefined;
}

export function child(version: Version, place: ReadPlace, ...steps: (string | number)[]): ReadPlace | undefined {
  return version.places.get(steps.reduce<string>(join, place.pointer));
}

function childList(version: Version, place: ReadPlace, name: string): ReadPlace[] {
  const list = keyword(place, name);
  return Array.isArray(list) ? list.map((_, index) => child(version, place, name, index)!) : [];
}

/** What each member says of one property by name. */
export function propertyPlaces(version: Version, members: readonly ReadPlace[], name: string): ReadPlace[] {
  return members.flatMap((member) => child(version, member, 'properties', name) ?? []);
}

export function propertyNames(members: readonly ReadPlace[]): Set<string> {
  const names = new Set<string>();
  for (const member of members) {
    const properties = keyword(member, 'properties');
    if (isObject(properties)) for (const name of Object.keys(properties)) names.add(name);
  }
  return names;
}

/** What each member says of the item at an index. */
export function itemPlaces(version: Version, members: readonly ReadPlace[], index: number): ReadPlace[] {
  return members.flatMap(
    (member) =>
      child(version, member, 'prefixItems', index) ??
      (prefixLength(member) <= index ? (child(version, member, 'items') ?? []) : []),
  );
}

export function longestPrefix(members: readonly ReadPlace[]): number {
  return Math.max(0, ...members.map(prefixLength));
}

function prefixLength(member: ReadPlace): number {
  const list = keyword(member, 'prefixItems');
  return Array.isArray(list) ? list.length : 0;
}

/** A schema that says `node` of the part the steps lead to, and nothing else. */
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
