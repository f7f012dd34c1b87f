const encoder = new TextEncoder();
const decoder = new TextDecoder();
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const LETTERS = encoder.encode(ALPHABET);
const VALUES = new Int8Array(128).fill(-1);
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

/** Big-endian, as in RFC 8017 I2OSP. */
export function uint(value: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let index = length - 1, rest = value; index >= 0; index--, rest = Math.floor(rest / 256)) bytes[index] = rest;
  return bytes;
}

/** In time that depends on the lengths only. */
export function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  let difference = 0;
  for (let index = 0; index < a.length; index++) difference |= a[index]! ^ b[index]!;
  return difference === 0;
}

/** Overwrites keys whose use is over. As far as a garbage collector lets anyone promise. */
export function wipe(keys: readonly Uint8Array[]): void {
  for (const key of keys) key.fill(0);
}

/** RFC 4648 section 5, without padding. */
export function toBase64Url(bytes: Uint8Array): string {
  const letters = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  for (let index = 0, offset = 0; index < bytes.length; index += 3, offset += 4) {
    // Behind the end there is undefined, which shifts as 0; the letters it makes are cut off.
    const bits = (bytes[index]! << 16) | (bytes[index + 1]! << 8) | (bytes[index + 2]! | 0);
    letters[offset] = LETTERS[bits >> 18]!;
    letters[offset + 1] = LETTERS[(bits >> 12) & 63]!;
    letters[offset + 2] = LETTERS[(bits >> 6) & 63]!;
    letters[offset + 3] = LETTERS[bits & 63]!;
  }
  return decoder.decode(letters.subarray(0, Math.ceil((bytes.length * 4) / 3)));
}

/** Undefined for what `toBase64Url` never writes: two spellings of one key or signature would be two messages. */
export function fromBase64Url(text: string): Uint8Array | undefined {
  const left = text.length % 4;
  if (left === 1) return undefined;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  let bits = 0;
  let held = 0;
  let offset = 0;
  for (let index = 0; index < text.length; index++) {
    const value = VALUES[text.charCodeAt(index)] ?? -1;
    if (value < 0) return undefined;
    bits = ((bits << 6) | value) & 0xffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[offset++] = bits >> held;
  }
  return (bits & ((1 << held) - 1)) === 0 ? bytes : undefined;
}
