/** JSON values that may be edited. */
export type Json = null | boolean | number | string | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };
export type Schema = boolean | JsonObject;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function copy<T extends Json>(value: T): T {
  return structuredClone(value);
}

/** Returns equal texts for equal values, in any order of keys. */
export function toKey(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(toKey)}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${toKey(value[key]!)}`)}}`;
}
