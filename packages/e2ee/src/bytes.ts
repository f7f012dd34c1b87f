const encoder = new TextEncoder();
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const VALUES = new Int8Array(128).fill(-1);
for (let value = 0; value < 64; value++) VALUES[ALPHABET.charCodeAt(value)] = value;

export function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
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
  let text = '';
  let index = 0;
  for (; index + 2 < bytes.length; index += 3) {
    const bits = (bytes[index]! << 16) | (bytes[index + 1]! << 8) | bytes[index + 2]!;
    text += ALPHABET[bits >> 18]! + ALPHABET[(bits >> 12) & 63]! + ALPHABET[(bits >> 6) & 63]! + ALPHABET[bits & 63]!;
  }
  const left = bytes.length - index;
  if (left === 0) return text;
  const bits = (bytes[index]! << 16) | ((bytes[index + 1] ?? 0) << 8);
  text += ALPHABET[bits >> 18]! + ALPHABET[(bits >> 12) & 63]!;
  return left === 2 ? text + ALPHABET[(bits >> 6) & 63]! : text;
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
