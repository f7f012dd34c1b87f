import type { JsonObject, Schema } from '../json.ts';
import type { Random } from '../random.ts';
import { NAMES } from './sample-texts.ts';

/** Makes a tree, a list, or a filter of and, or, not: the recursive schemas that real tools have. */
export function makeRecursive(random: Random, makeLeaf: () => Schema): JsonObject {
  const self = { $ref: '#/$defs/node' };
  const link = (): Schema =>
    random.pick<Schema>([
      self,
      { anyOf: [self, { type: 'null' }] },
      { type: 'array', items: self },
      { anyOf: [{ type: 'array', items: self }, self] },
      { type: 'object', additionalProperties: self },
      { oneOf: [{ type: 'string' }, { type: 'object', properties: { a: self } }] },
    ]);
  const names = random.some(NAMES, random.between(2, 4));
  const value = random.pick(names);
  const properties = Object.fromEntries(names.map((name) => [name, name === value ? makeLeaf() : link()]));
  const node: JsonObject = { type: 'object', properties, additionalProperties: false };
  if (random.chance(0.4)) node.required = [value];
  const choices = random.chance(0.3) ? { anyOf: [node, makeLeaf()] } : node;
  // The part keeps only the recursive members of the node, so that it differs deeper down.
  const barred = new Set([value, ...random.some(names, names.length - 2)]);
  const part = { allOf: [self, { properties: Object.fromEntries([...barred].map((name) => [name, false])) }] };
  return { type: 'object', properties: { [random.pick(NAMES)]: link() }, $defs: { node: choices, part } };
}
