/** What every id of ours looks like, whatever its version: for JSON Schema and for `RegExp`. */
export const ID_PATTERN = '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$';
/** Ids that are made by a client and sort by time (version 7). */
export const TIMED_ID_PATTERN = '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';

const ID = new RegExp(ID_PATTERN);
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

export function isId(text: string): boolean {
  return ID.test(text);
}

/** A UUID of version 4 (RFC 9562, section 5.4) from 16 random bytes. */
export function toRandomId(random: Uint8Array): string {
  return format(Uint8Array.from(random), 4);
}

/** A UUID of version 7 (section 5.7) from a time and 16 random bytes: it sorts by time, so indexes grow at one end. */
export function toTimedId(time: Date, random: Uint8Array): string {
  const bytes = Uint8Array.from(random);
  const ms = time.getTime();
  new DataView(bytes.buffer).setUint16(0, Math.floor(ms / 2 ** 32));
  new DataView(bytes.buffer).setUint32(2, ms % 2 ** 32);
  return format(bytes, 7);
}

function format(bytes: Uint8Array, version: 4 | 7): string {
  if (bytes.length !== 16) throw new TypeError('random must be 16 bytes');
  bytes[6] = (bytes[6]! & 0x0f) | (version << 4);
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  let hex = '';
  for (const byte of bytes) hex += HEX[byte];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
