import { toTimedId } from '@parley/base';
import type { Platform } from '@parley/messenger';

/** The client makes the ids of what it signs. */
export function newId({ crypto, now }: Pick<Platform, 'crypto' | 'now'>): string {
  return toTimedId(now(), crypto.randomBytes(16));
}
