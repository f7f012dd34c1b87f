import { join } from '../json/pointer.ts';
import { isObject, type Json } from '../json/value.ts';
import type { ReadSchema } from '../schema/read.ts';

/** Returns the reference that leads to the new position of `target`. */
type MoveReference = (target: string) => string;

/**
 * Copies a schema so that its references work at another position. `move` gets the pointer that a reference leads to.
 * Anchors are dropped: pointers replace them, and a name must be unique in a document. `$schema` is dropped too.
 */
export function relocate(
  raw: Json,
  subschemas: ReadSchema['subschemas'],
  { start = '', move }: { start?: string; move: MoveReference },
): Json {
  const copy = (value: Json, pointer: string): Json => {
    if (Array.isArray(value)) return value.map((item, index) => copy(item, join(pointer, index)));
    if (!isObject(value)) return value;
    const place = subschemas.get(pointer);
    const entries: [string, Json][] = [];
    for (const key of Object.keys(value)) {
      if (place !== undefined && (key === '$anchor' || key === '$schema')) continue;
      const target = key === '$ref' ? place?.ref : undefined;
      entries.push([key, target === undefined ? copy(value[key]!, join(pointer, key)) : move(target.pointer)]);
    }
    return Object.fromEntries(entries);
  };
  return copy(raw, start);
}
