import { hashCanonical } from '../json/hash.ts';
import type { Json } from '../json/value.ts';

/** Computes the `capability_manifest_hash` of exactly this document: nothing is dropped, added or defaulted (CM-16). */
export function hashManifest(manifest: Json): string {
  return hashCanonical(manifest);
}
