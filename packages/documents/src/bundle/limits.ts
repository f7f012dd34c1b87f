import type { Limits } from '../capability/measure.ts';

/** The largest canonical form of a bundle (BN-11). */
const MAX_BYTES = 2 * 1024 * 1024;

export const BUNDLE_LIMITS: Limits = {
  maxBytes: MAX_BYTES,
  largeBytes: Number.POSITIVE_INFINITY,
  maxDepth: 128,
  // White space does not count, but no more text than this is read.
  hopelessBytes: 2 * MAX_BYTES,
};
