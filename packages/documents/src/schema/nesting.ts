import type { Json } from '../json/value.ts';

/** The limit for the whole JSON text, including data inside `enum` or `default`. */
const MAX_NESTING = 128;

/** A schema that is not too deep can be walked recursively. */
export function isTooDeep(root: Json): boolean {
  let level: Json[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    const next: Json[] = [];
    for (const value of level) {
      if (typeof value !== 'object' || value === null) continue;
      if (depth === MAX_NESTING) return true;
      for (const child of Array.isArray(value) ? value : Object.values(value)) next.push(child);
    }
    level = next;
  }
  return false;
}
