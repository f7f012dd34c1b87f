import { describeLocation } from '../describe.ts';
import { checkLocationArguments, toLocationResult } from '../location.ts';
import { type Executor, ExecutorError } from '../types.ts';

const TIMEOUT_MS = 30_000;

export function readLocationExecutor(): Executor | undefined {
  if (globalThis.navigator?.geolocation === undefined) return undefined;
  return {
    tool: 'read_location',
    scope: 'location:read',
    sensitivity: 'high',
    describe: (_, locale) => describeLocation(locale),
    run: async (args) => {
      checkLocationArguments(args);
      const { coords } = await new Promise<GeolocationPosition>((resolve, reject) => {
        const fail = () => reject(new ExecutorError('The browser did not say where this device is.'));
        navigator.geolocation.getCurrentPosition(resolve, fail, { timeout: TIMEOUT_MS });
      });
      return toLocationResult(coords);
    },
  };
}
