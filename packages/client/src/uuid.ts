import type { Platform } from '@parley/messenger';

/** RFC 9562, version 7: the client makes the ids of what it signs. */
export function createId({ crypto, now }: Pick<Platform, 'crypto' | 'now'>): string {
  const bytes = crypto.randomBytes(16);
  const time = now().getTime();
  for (let index = 0; index < 6; index++) bytes[index] = Math.floor(time / 2 ** (8 * (5 - index))) % 256;
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
