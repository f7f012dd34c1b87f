import { join } from './pointer.ts';
import type { Json, JsonObject } from './value.ts';

const MAX_DEPTH = 1000;
const MAX_POINTER = 200;
const MAX_KNOWN_KEYS = 1024;
const MAX_KNOWN_KEY_LENGTH = 64;

// JSON.stringify escapes exactly these; a surrogate may be half of a pair or lone.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what has to be found
const NEEDS_CARE = /[\u0000-\u001f"\\\ud800-\udfff]/;
const LONE_SURROGATE = /[\ud800-\udfff]/u;

type Path = (string | number)[];

/** The canonical form of RFC 8785 (CM-16). What JSON cannot say is a TypeError: nothing is dropped or replaced. */
export function canonicalise(value: Json): string {
  return write(value, [], 0);
}

/** `path` holds the steps to `value` in its first `depth` places; it is read only when something is wrong. */
function write(value: unknown, path: Path, depth: number): string {
  switch (typeof value) {
    case 'string': {
      if (!NEEDS_CARE.test(value)) return `"${value}"`;
      if (LONE_SURROGATE.test(value)) throw refuse('a lone surrogate', path, depth);
      return JSON.stringify(value);
    }
    case 'number':
      if (!Number.isFinite(value)) throw refuse('a number that is not finite', path, depth);
      return `${value}`;
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      if (depth >= MAX_DEPTH) throw refuse(`more than ${MAX_DEPTH} levels, or a cycle,`, path, depth);
      return Array.isArray(value) ? writeArray(value, path, depth) : writeObject(value as JsonObject, path, depth);
    default:
      throw refuse(typeof value, path, depth);
  }
}

function writeArray(items: readonly unknown[], path: Path, depth: number): string {
  if (items.length === 0) return '[]';
  let text = '[';
  for (let index = 0; index < items.length; index++) {
    path[depth] = index;
    if (index > 0) text += ',';
    text += write(items[index], path, depth + 1);
  }
  return `${text}]`;
}

function writeObject(object: JsonObject, path: Path, depth: number): string {
  if (!isPlain(object)) throw refuse('an object that is neither plain nor an array', path, depth);
  const keys = sort(Object.keys(object));
  if (keys.length === 0) return '{}';
  let text = '';
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    const opening = index === 0 ? writeKey('{', FIRST_KEYS, key) : writeKey(',', NEXT_KEYS, key);
    if (opening === undefined) throw refuse('a lone surrogate in a key', path, depth);
    path[depth] = key;
    text += opening + write(object[key], path, depth + 1);
  }
  return `${text}}`;
}

/** A Date, a Map or a class instance would hash like `{}`. An object of another realm is plain too. */
function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** By UTF-16 code units (RFC 8785, section 3.2.3). For the few keys most objects have, insertion beats `sort`. */
function sort(keys: string[]): string[] {
  if (keys.length > 24) return keys.sort();
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index]!;
    let place = index;
    for (; place > 0 && keys[place - 1]! > key; place--) keys[place] = keys[place - 1]!;
    keys[place] = key;
  }
  return keys;
}

// Documents repeat few keys many times: remembering how each is written is a third of the speed.
const FIRST_KEYS = new Map<string, string>();
const NEXT_KEYS = new Map<string, string>();

function writeKey(before: '{' | ',', known: Map<string, string>, key: string): string | undefined {
  const found = known.get(key);
  if (found !== undefined) return found;
  if (LONE_SURROGATE.test(key)) return undefined;
  const written = `${before}${JSON.stringify(key)}:`;
  if (key.length <= MAX_KNOWN_KEY_LENGTH) {
    if (known.size >= MAX_KNOWN_KEYS) known.clear();
    known.set(key, written);
  }
  return written;
}

function refuse(what: string, path: Path, depth: number): TypeError {
  let pointer = '';
  for (let index = 0; index < depth && pointer.length <= MAX_POINTER; index++) pointer = join(pointer, path[index]!);
  if (pointer.length > MAX_POINTER) pointer = `${pointer.slice(0, MAX_POINTER)}…`;
  return new TypeError(`canonicalise: ${what} at "${pointer}" has no canonical form`);
}
