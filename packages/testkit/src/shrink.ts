import { isObject, type Json, type JsonObject } from './json.ts';

/**
 * Finds a smaller value of which `fails` still holds by removing parts as long as it does. The values of the top level
 * shrink together, so that what two versions of a schema share is removed from both at once.
 */
export function shrink<T extends { [key: string]: Json }>(
  value: T,
  fails: (smaller: T) => boolean,
  attempts = 5_000,
): T {
  let best = value;
  let left = attempts;
  for (let improved = true; improved && left > 0; ) {
    improved = false;
    for (const candidate of candidates(best)) {
      if (left-- <= 0) break;
      if (!fails(candidate as T)) continue;
      best = candidate as T;
      improved = true;
      break;
    }
  }
  return best;
}

function* candidates(value: JsonObject): Generator<JsonObject> {
  const keys = Object.keys(value);
  const paths = new Set(keys.flatMap((key) => [...listPaths(value[key]!)]).map((path) => JSON.stringify(path)));
  for (const path of paths) {
    const steps = JSON.parse(path) as string[];
    if (steps.length === 0) continue;
    const all = Object.fromEntries(keys.map((key) => [key, without(value[key]!, steps)]));
    if (keys.filter((key) => all[key] !== value[key]).length > 1) yield all;
    for (const key of keys) if (all[key] !== value[key]) yield { ...value, [key]: all[key]! };
  }
  for (const key of keys) {
    for (const simpler of simplified(value[key]!)) yield { ...value, [key]: simpler };
  }
}

function* listPaths(value: Json): Generator<string[]> {
  yield [];
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) for (const path of listPaths(part)) yield [key, ...path];
}

/** Returns the same value if the path leads nowhere. */
function without(value: Json, path: readonly string[]): Json {
  const [step, ...rest] = path as [string, ...string[]];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return value;
  if (rest.length === 0) {
    return Array.isArray(value)
      ? value.filter((_, index) => String(index) !== step)
      : Object.fromEntries(Object.entries(value).filter(([key]) => key !== step));
  }
  const inner = (value as JsonObject)[step]!;
  const smaller = without(inner, rest);
  return smaller === inner ? value : replaced(value, step, smaller);
}

/** Yields the value with a part in place of the whole, at every level. */
function* simplified(value: Json): Generator<Json> {
  if (typeof value === 'string' && value.length > 1) yield value.slice(0, 1);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    if (isObject(part)) {
      for (const inner of Object.values(part)) {
        if (isObject(inner)) yield replaced(value, key, inner);
        if (Array.isArray(inner) && isObject(inner[0])) yield replaced(value, key, inner[0]);
      }
      if (Object.keys(part).length > 0) yield replaced(value, key, true);
    }
    for (const simpler of simplified(part)) yield replaced(value, key, simpler);
  }
}

function replaced(value: Json, key: string, part: Json): Json {
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? part : item));
  return { ...(value as JsonObject), [key]: part };
}
