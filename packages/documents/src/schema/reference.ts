import { split } from '../json/pointer.ts';
import { get, isObject, type Json } from '../json/value.ts';

/** Writes a pointer as the fragment of a reference (RFC 6901, section 6). */
export function toReference(pointer: string): string {
  return `#${encodeURI(pointer).replaceAll('#', '%23').replaceAll('?', '%3F')}`;
}

/** Returns undefined if it is not the fragment of a URI. */
export function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** Returns the value at a JSON Pointer. */
export function lookUp(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const step of split(pointer) ?? ['\0']) {
    if (Array.isArray(value))
      value = /^(0|[1-9]\d*)$/.test(step) ? (value as readonly Json[])[Number(step)] : undefined;
    else value = isObject(value) ? get(value, step) : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}
