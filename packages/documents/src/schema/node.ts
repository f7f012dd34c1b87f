import type { Json } from '../json/value.ts';
import type { Format } from './format.ts';
import type { Pattern } from './pattern.ts';

/** Kinds of instance, as bits. A number is either an integer (1.0 is one) or a fraction. */
export const Kind = {
  null: 1,
  boolean: 2,
  integer: 4,
  fraction: 8,
  number: 12,
  string: 16,
  array: 32,
  object: 64,
  any: 127,
} as const;

export function kindOf(value: Json): number {
  if (value === null) return Kind.null;
  switch (typeof value) {
    case 'boolean':
      return Kind.boolean;
    case 'number':
      return Number.isInteger(value) ? Kind.integer : Kind.fraction;
    case 'string':
      return Kind.string;
    default:
      return Array.isArray(value) ? Kind.array : Kind.object;
  }
}

/**
 * A normalised JSON Schema: references are resolved, `const` is an `enum`, patterns are compiled, annotations are
 * removed, and a default is the same as an absent keyword. Nodes are interned: two equal schemas in one graph are the
 * same node. `true` is a node without keywords, `false` has `kinds: 0`. Arrays and maps are never empty.
 */
export interface SchemaNode {
  readonly id: number;
  /** The allowed kinds; absent means any. */
  readonly kinds?: number;
  readonly enum?: readonly Json[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  /** Counted in code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: Pattern;
  readonly format?: Format;
  readonly prefixItems?: readonly SchemaNode[];
  /** Applies to the items after `prefixItems`. */
  readonly items?: SchemaNode;
  readonly contains?: SchemaNode;
  /** Present only beside `contains`; absent means 1. */
  readonly minContains?: number;
  readonly maxContains?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  readonly properties?: ReadonlyMap<string, SchemaNode>;
  readonly patternProperties?: readonly (readonly [Pattern, SchemaNode])[];
  readonly additionalProperties?: SchemaNode;
  readonly propertyNames?: SchemaNode;
  readonly required?: readonly string[];
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly dependentRequired?: ReadonlyMap<string, readonly string[]>;
  readonly dependentSchemas?: ReadonlyMap<string, SchemaNode>;
  readonly allOf?: readonly SchemaNode[];
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
  readonly not?: SchemaNode;
  readonly if?: SchemaNode;
  readonly then?: SchemaNode;
  readonly else?: SchemaNode;
  /** A `$ref`. `target` is set after the whole schema is read, so that schemas may be recursive. */
  readonly ref?: Reference;
  readonly unevaluatedItems?: SchemaNode;
  readonly unevaluatedProperties?: SchemaNode;
}

export interface Reference {
  readonly target: SchemaNode;
}
