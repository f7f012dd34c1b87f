import { type Batcher, createBatcher } from '@parley/base';
import { RequestError, rateLimited } from './request-error.ts';

const MAX_WAITING = { ofAll: 5_000, ofOne: 1_000 };

/** Joins concurrent requests into one transaction, in turns by account (OP-3). If that fails, all of them get UNAVAILABLE. */
export function createRequestBatcher<Input extends { readonly accountId: string }, Output>(
  run: (inputs: readonly Input[]) => Promise<readonly (Output | RequestError)[]>,
  size: number,
): Batcher<Input, Output> {
  return createBatcher<Input, Output>({
    run: (inputs) => run(inputs).catch(unavailable),
    size,
    accountOf: ({ accountId }) => accountId,
    maxWaiting: MAX_WAITING.ofAll,
    maxWaitingOfOne: MAX_WAITING.ofOne,
    refuse: (reason) =>
      reason === 'account_full'
        ? rateLimited(1, 'batch_share')
        : new RequestError('UNAVAILABLE', {}, { limit: 'batch' }),
    gather: () => new Promise((resolve) => setImmediate(resolve)),
  });
}

function unavailable(error: unknown): never {
  throw error instanceof RequestError ? error : new RequestError('UNAVAILABLE', {}, { cause: error });
}
