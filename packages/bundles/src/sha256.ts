import { createHash } from 'node:crypto';

/** Returns lowercase hex. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
