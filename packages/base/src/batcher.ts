import { createDeferred, type Deferred } from './deferred.ts';
import { type Admission, createFairQueue } from './fair-queue.ts';

/**
 * Joins inputs that arrive at the same time: those that arrive during one run go into the next, in turns by account. Those of
 * one account keep their order.
 */
export interface Batcher<Input, Output> {
  add(input: Input): Promise<Output>;
  /** Resolves when every input that was added has its outcome. */
  idle(): Promise<void>;
}

export interface BatcherOptions<Input, Output> {
  /** One outcome per input, in the same order. An `Error` rejects its input; a rejection rejects all of them. */
  run(inputs: readonly Input[]): Promise<readonly (Output | Error)[]>;
  /** The most inputs that one run takes. */
  readonly size: number;
  /** Whose input it is. */
  accountOf(input: Input): string;
  /** Beyond this many waiting inputs, of all accounts or of one, the error of `refuse` rejects the next: memory is limited. */
  readonly maxWaiting: number;
  readonly maxWaitingOfOne: number;
  refuse(reason: Exclude<Admission, 'added'>): Error;
  /** Awaited before the first run, so that inputs of one packet share a run. */
  gather?(): Promise<void>;
}

interface Waiting<Input, Output> {
  readonly input: Input;
  readonly deferred: Deferred<Output>;
}

export function createBatcher<Input, Output>(options: BatcherOptions<Input, Output>): Batcher<Input, Output> {
  const { run, size, accountOf, maxWaiting, maxWaitingOfOne, refuse, gather = () => Promise.resolve() } = options;
  const cost = Number.POSITIVE_INFINITY;
  const queue = createFairQueue<Waiting<Input, Output>>({
    turn: 1,
    max: { count: maxWaiting, cost },
    maxOfOne: { count: maxWaitingOfOne, cost },
  });
  let running: Promise<void> | undefined;

  const runBatch = async (batch: readonly Waiting<Input, Output>[]): Promise<void> => {
    try {
      const outcomes = await run(batch.map(({ input }) => input));
      batch.forEach(({ deferred }, index) => {
        const outcome = outcomes[index]!;
        if (outcome instanceof Error) deferred.reject(outcome);
        else deferred.resolve(outcome);
      });
    } catch (error) {
      for (const { deferred } of batch) deferred.reject(error);
    }
  };
  const drain = async (): Promise<void> => {
    await gather();
    while (queue.size > 0) await runBatch(queue.takeBatch({ count: size, cost }));
    running = undefined;
  };

  return {
    add: (input) => {
      const deferred = createDeferred<Output>();
      const admission = queue.add(accountOf(input), { input, deferred });
      if (admission !== 'added') return Promise.reject(refuse(admission));
      running ??= drain();
      return deferred.promise;
    },
    idle: async () => {
      await running;
    },
  };
}
