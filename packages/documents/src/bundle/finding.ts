import type { Message } from '../json/finding.ts';

export const LEVELS = ['L1', 'L2', 'L3', 'L4', 'L5', 'L6'] as const;
export type Level = (typeof LEVELS)[number];

/** A finding with its sentence, and the level that found it (9.2). */
export interface BundleFinding extends Message {
  readonly level: Level;
}
