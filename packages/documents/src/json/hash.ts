import { useCanonical } from './canonicalise.ts';
import { sha256Hex } from './sha256.ts';
import type { Json } from './value.ts';

/** Returns the lowercase hex SHA-256 of the canonical form (CM-16). */
export function hashCanonical(value: Json): string {
  return useCanonical(value, sha256Hex);
}
