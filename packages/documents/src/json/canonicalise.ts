import { ByteWriter } from './byte-writer.ts';
import { join } from './pointer.ts';
import { decodeUtf8 } from './utf8.ts';
import type { Json, JsonObject } from './value.ts';

const MAX_DEPTH = 1000;
const MAX_POINTER = 200;
const MAX_SPARE = 1024 * 1024;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const LONE_SURROGATE = /\p{Surrogate}/u;

type Path = (string | number)[];

/**
 * Writes the canonical form of RFC 8785 (CM-16). A value that JSON cannot express is a TypeError: nothing is dropped or
 * replaced.
 */
export function canonicalise(value: Json): string {
  // For a single text or number, of which there may be thousands, encoding and decoding would cost more than writing.
  if (typeof value === 'string' && !LONE_SURROGATE.test(value)) return JSON.stringify(value);
  if (typeof value === 'number' && Number.isFinite(value)) return `${value}`;
  return useCanonical(value, (bytes) => String(decodeUtf8(bytes)));
}

let spare: ByteWriter | undefined;

/** Passes the UTF-8 bytes of the canonical form to `use`, which must not keep them: their buffer is reused. */
export function useCanonical<Result>(value: Json, use: (bytes: Uint8Array) => Result): Result {
  const writer = spare ?? new ByteWriter();
  // The buffer is taken while it is in use: a getter of `value` may call this function again.
  spare = undefined;
  writer.clear();
  write(writer, value, [], 0);
  const result = use(writer.written);
  if (writer.capacity <= MAX_SPARE) spare = writer;
  return result;
}

/** `path` holds the steps to `value` in its first `depth` entries; it is read only if something is wrong. */
function write(writer: ByteWriter, value: unknown, path: Path, depth: number): void {
  switch (typeof value) {
    case 'string':
      if (!writer.writeString(value)) throw refuse('a lone surrogate', path, depth);
      return;
    case 'number':
      if (!Number.isFinite(value)) throw refuse('a number that is not finite', path, depth);
      writer.writeAscii(`${value}`);
      return;
    case 'boolean':
      writer.writeAscii(value ? 'true' : 'false');
      return;
    case 'object':
      if (value === null) writer.writeAscii('null');
      else if (depth >= MAX_DEPTH) throw refuse(`more than ${MAX_DEPTH} levels, or a cycle,`, path, depth);
      else if (Array.isArray(value)) writeArray(writer, value, path, depth);
      else writeObject(writer, value as JsonObject, path, depth);
      return;
    default:
      throw refuse(typeof value, path, depth);
  }
}

function writeArray(writer: ByteWriter, items: readonly unknown[], path: Path, depth: number): void {
  writer.writeByte(OPEN_BRACKET);
  for (let index = 0; index < items.length; index++) {
    if (index > 0) writer.writeByte(COMMA);
    path[depth] = index;
    write(writer, items[index], path, depth + 1);
  }
  writer.writeByte(CLOSE_BRACKET);
}

function writeObject(writer: ByteWriter, object: JsonObject, path: Path, depth: number): void {
  if (!isPlain(object)) throw refuse('an object that is neither plain nor an array', path, depth);
  const keys = sort(Object.keys(object));
  writer.writeByte(OPEN_BRACE);
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    if (index > 0) writer.writeByte(COMMA);
    if (!writer.writeString(key)) throw refuse('a lone surrogate in a key', path, depth);
    writer.writeByte(COLON);
    path[depth] = key;
    write(writer, object[key], path, depth + 1);
  }
  writer.writeByte(CLOSE_BRACE);
}

/** A Date, a Map or a class instance would hash like `{}`. An object of another realm is plain too. */
function isPlain(object: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(object);
  return prototype === Object.prototype || prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Sorts by UTF-16 code units (RFC 8785, section 3.2.3). For the few keys of most objects, insertion is faster than
 * `sort`.
 */
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

function refuse(what: string, path: Path, depth: number): TypeError {
  let pointer = '';
  for (let index = 0; index < depth && pointer.length <= MAX_POINTER; index++) pointer = join(pointer, path[index]!);
  if (pointer.length > MAX_POINTER) pointer = `${pointer.slice(0, MAX_POINTER)}…`;
  return new TypeError(`canonicalise: ${what} at "${pointer}" has no canonical form`);
}
