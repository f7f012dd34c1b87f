import { isObject, type Json, type JsonObject, type Schema } from '../json.ts';

/** A subschema and how to replace it. */
export interface Spot {
  readonly schema: Schema;
  /** The JSON Pointer of the subschema. */
  readonly pointer: string;
  readonly replace: (by: Schema) => void;
}

const SINGLES = [
  'not',
  'if',
  'then',
  'else',
  'items',
  'contains',
  'additionalProperties',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs'];

/** Lists every subschema, the root first. */
export function listSpots(root: JsonObject): Spot[] {
  const spots: Spot[] = [];
  const visit = (schema: Schema, pointer: string, replace: (by: Schema) => void): void => {
    spots.push({ schema, pointer, replace });
    if (typeof schema === 'boolean') return;
    const child = (holder: Json[] | JsonObject, key: string | number, at: string) => {
      const slots = holder as Record<string | number, Json>;
      visit(slots[key] as Schema, `${at}/${escapeStep(String(key))}`, (by) => {
        slots[key] = by;
      });
    };
    for (const name of SINGLES) if (schema[name] !== undefined) child(schema, name, pointer);
    for (const name of LISTS) {
      const list = schema[name];
      if (Array.isArray(list)) for (const index of list.keys()) child(list, index, `${pointer}/${name}`);
    }
    for (const name of MAPS) {
      const map = schema[name];
      if (isObject(map)) for (const key of Object.keys(map)) child(map, key, `${pointer}/${name}`);
    }
  };
  visit(root, '', () => {});
  return spots;
}

/** Returns the target of a local reference. */
export function follow(root: JsonObject, reference: string): Schema | undefined {
  let value: Json | undefined = root;
  for (const step of decodeURIComponent(reference.slice(1)).split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    value = Array.isArray(value) ? value[Number(key)] : isObject(value) ? value[key] : undefined;
  }
  return typeof value === 'boolean' || isObject(value) ? value : undefined;
}

function escapeStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}
