import { toTimedId } from '@parley/base';
import type { Platform } from '@parley/messenger';

/** Creates an id for what the client signs or sends before the server has seen it. */
export function newId({ crypto, now }: Pick<Platform, 'crypto' | 'now'>): string {
  return toTimedId(now(), crypto.randomBytes(16));
}
