import { describeLocation } from '../describe.ts';
import { checkLocationArguments, type Position, toLocationResult } from '../location.ts';
import type { Executor } from '../types.ts';

/** A fixed position, or a function that finds it: Node itself cannot. */
export type LocationSource = Position | ((signal: AbortSignal) => Promise<Position>);

export function readLocationExecutor(source: LocationSource | undefined): Executor | undefined {
  if (source === undefined) return undefined;
  return {
    tool: 'read_location',
    scope: 'location:read',
    sensitivity: 'high',
    describe: (_, locale) => describeLocation(locale),
    run: async (args, { signal }) => {
      checkLocationArguments(args);
      return toLocationResult(typeof source === 'function' ? await source(signal) : source);
    },
  };
}
