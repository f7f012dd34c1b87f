import type { Json } from '../json/value.ts';

/** Of the JSON text, data inside `enum` or `default` included: nothing below may recurse without end. */
const MAX_NESTING = 128;

/** Of a schema that is not, nothing recurses without end. */
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
