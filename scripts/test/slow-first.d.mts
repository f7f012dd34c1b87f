import type { TestSequencerConstructor } from 'vitest/node';

export function chooseOrder(args: readonly string[]): { sequencer?: TestSequencerConstructor };
