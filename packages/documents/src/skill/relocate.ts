import { join } from '../json/pointer.ts';
import { isObject, type Json } from '../json/value.ts';
import type { ReadSchema } from '../schema/read.ts';

/** The reference that leads to what lies at `target` now. */
type MoveReference = (target: string) => string;

/**
 * A copy of a schema whose references follow it to another place. `move` is told the pointer a reference leads to.
 * Anchors are dropped: pointers replace them, and a name may be used once in a document only. So is `$schema`.
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
