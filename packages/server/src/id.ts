import { randomBytes } from 'node:crypto';
import { toTimedId } from '@parley/base';

/** Creates a UUID that sorts by time, so that indexes grow at one end. */
export function createId(now: Date = new Date()): string {
  return toTimedId(now, randomBytes(16));
}
