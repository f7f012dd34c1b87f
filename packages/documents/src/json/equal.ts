import { isObject, type Json } from './value.ts';

/** Compares as JSON Schema does (core, section 4.2.2): by value, in any order of keys; 1 is 1.0 and 0 is -0. */
export function equalJson(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => equalJson(item, b[index]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => Object.hasOwn(b, key) && equalJson(a[key]!, b[key]!));
}
