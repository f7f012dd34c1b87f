import { toTimedId } from '@parley/base';
import type { Platform } from '@parley/messenger';

/** An id for what the client signs or sends, which cannot wait for the server to make one. */
export function newId({ crypto, now }: Pick<Platform, 'crypto' | 'now'>): string {
  return toTimedId(now(), crypto.randomBytes(16));
}
