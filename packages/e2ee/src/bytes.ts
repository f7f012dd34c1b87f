const encoder = new TextEncoder();
const decoder = new TextDecoder();
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const LETTERS = encoder.encode(ALPHABET);
/** Holds a value for every code unit, so that decoding is one lookup each. */
const VALUES = new Int8Array(0x10000).fill(-1);
for (let value = 0; value < 64; value++) VALUES[ALPHABET.charCodeAt(value)] = value;

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const part of parts) length += part.length;
  const whole = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

/** Writes big-endian, as RFC 8017 I2OSP does. */
export function uint(value: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let index = length - 1, rest = value; index >= 0; index--, rest = Math.floor(rest / 256)) bytes[index] = rest;
  return bytes;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Compares in time that depends on the lengths only. */
export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index++) difference |= a[index]! ^ b[index]!;
  return difference === 0;
}

/** Overwrites keys that are no longer needed. Copies that the garbage collector made are out of reach. */
export function wipe(keys: readonly Uint8Array[]): void {
  for (const key of keys) key.fill(0);
}

/** This buffer is reused, because memory outside of the heap is slow to allocate. */
const spare = new Uint8Array(8 * 1024);

/** RFC 4648 section 5, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  const room = Math.ceil(bytes.length / 3) * 4;
  const letters = room > spare.length ? new Uint8Array(room) : spare;
  for (let index = 0, offset = 0; index < bytes.length; index += 3, offset += 4) {
    // After the end there is undefined, which shifts as 0; the letters it makes are cut off.
    const bits = (bytes[index]! << 16) | (bytes[index + 1]! << 8) | (bytes[index + 2]! | 0);
    letters[offset] = LETTERS[bits >> 18]!;
    letters[offset + 1] = LETTERS[(bits >> 12) & 63]!;
    letters[offset + 2] = LETTERS[(bits >> 6) & 63]!;
    letters[offset + 3] = LETTERS[bits & 63]!;
  }
  const text = decoder.decode(letters.subarray(0, Math.ceil((bytes.length * 4) / 3)));
  // The letters may have been a key.
  letters.fill(0, 0, room);
  return text;
}

/**
 * Returns undefined for what `toBase64Url` never writes: two spellings of one key or signature would be two messages.
 */
export function fromBase64Url(text: string): Uint8Array | undefined {
  const left = text.length % 4;
  if (left === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  const whole = text.length - left;
  let offset = 0;
  for (let index = 0; index < whole; index += 4) {
    const bits =
      (VALUES[text.charCodeAt(index)]! << 18) |
      (VALUES[text.charCodeAt(index + 1)]! << 12) |
      (VALUES[text.charCodeAt(index + 2)]! << 6) |
      VALUES[text.charCodeAt(index + 3)]!;
    // A character outside the alphabet is -1, whose sign bit survives the or.
    if (bits < 0) return undefined;
    bytes[offset++] = bits >> 16;
    bytes[offset++] = bits >> 8;
    bytes[offset++] = bits;
  }
  if (left === 0) return bytes;
  // Two letters are 12 bits for one byte, three are 18 bits for two: what is left over must be 0.
  let bits = 0;
  for (let index = whole; index < text.length; index++) bits = (bits << 6) | VALUES[text.charCodeAt(index)]!;
  const spare = left === 2 ? 4 : 2;
  if (bits < 0 || (bits & ((1 << spare) - 1)) !== 0) return undefined;
  for (let shift = (left - 2) * 8; shift >= 0; shift -= 8) bytes[offset++] = bits >> (spare + shift);
  return bytes;
}
