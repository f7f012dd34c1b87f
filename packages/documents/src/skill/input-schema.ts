import { join } from '../json/pointer.ts';
import type { Json, JsonObject } from '../json/value.ts';
import { createGraph, type SchemaGraph } from '../schema/graph.ts';
import { readSchema } from '../schema/read.ts';
import { toReference } from '../schema/reference.ts';
import type { SkillInput } from './descriptor.ts';
import { relocate } from './relocate.ts';

/** Keywords of a property besides the input's own schema. If that schema has them too, it is kept apart. */
export const OWN_KEYWORDS = ['type', 'description', 'default'] as const;

/** `default: null` on a required input means that there is none (SD-3). */
export function hasDefault(input: SkillInput): boolean {
  return input.default !== undefined && !(input.required && input.default === null);
}

/**
 * Turns one input into a JSON Schema for the position `at` in another. Only for valid inputs: their schemas are read
 * here.
 */
export function toPropertySchema(input: SkillInput, at: string, graph: SchemaGraph = createGraph()): JsonObject {
  const { type, description, schema } = input;
  const own: Record<string, Json> = { type };
  if (description !== '') own.description = description;
  if (hasDefault(input)) own.default = input.default!;
  if (schema === undefined || Object.keys(schema).length === 0) return own;
  const apart = OWN_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword));
  const place = apart ? `${at}/allOf/0` : at;
  const { schema: current, subschemas } = readSchema(schema, graph);
  const moved = relocate(current, subschemas, { move: (target) => toReference(`${place}${target}`) }) as JsonObject;
  return apart ? { ...own, allOf: [moved] } : { ...own, ...moved };
}

/** Turns all inputs into one closed JSON Schema (SD-3). */
export function toInputSchema(inputs: readonly SkillInput[], graph: SchemaGraph = createGraph()): JsonObject {
  const required = inputs.filter((input) => input.required).map(({ name }) => name);
  return {
    type: 'object',
    // An object literal would not do: an input may be called __proto__.
    properties: Object.fromEntries(
      inputs.map((input) => [input.name, toPropertySchema(input, join('/properties', input.name), graph)]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}
