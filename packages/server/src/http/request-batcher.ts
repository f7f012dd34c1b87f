import { type Batcher, createBatcher } from '@parley/base';
import { RequestError } from './request-error.ts';

const MAX_WAITING = 5_000;

/** Joins concurrent requests into one transaction. If that fails, all of them get UNAVAILABLE. */
export function createRequestBatcher<Input, Output>(
  run: (inputs: readonly Input[]) => Promise<readonly (Output | RequestError)[]>,
  size: number,
): Batcher<Input, Output> {
  return createBatcher<Input, Output>({
    run: (inputs) => run(inputs).catch(unavailable),
    size,
    maxWaiting: MAX_WAITING,
    refuse: () => new RequestError('UNAVAILABLE'),
    gather: () => new Promise((resolve) => setImmediate(resolve)),
  });
}

function unavailable(error: unknown): never {
  throw error instanceof RequestError ? error : new RequestError('UNAVAILABLE', {}, { cause: error });
}
