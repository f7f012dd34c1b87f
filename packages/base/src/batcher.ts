import { createDeferred, type Deferred } from './deferred.ts';

/** Joins inputs that arrive at the same time: those that arrive during one run go into the next. */
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
  /** Beyond this many waiting inputs, the error of `refuse` rejects the next: memory is limited. */
  readonly maxWaiting: number;
  refuse(): Error;
  /** Awaited before the first run, so that inputs of one packet share a run. */
  gather?(): Promise<void>;
}

export function createBatcher<Input, Output>(options: BatcherOptions<Input, Output>): Batcher<Input, Output> {
  const { run, size, maxWaiting, refuse, gather = () => Promise.resolve() } = options;
  const queue: { readonly input: Input; readonly deferred: Deferred<Output> }[] = [];
  let running: Promise<void> | undefined;

  const runBatch = async (batch: typeof queue): Promise<void> => {
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
    while (queue.length > 0) await runBatch(queue.splice(0, size));
    running = undefined;
  };

  return {
    add: (input) => {
      if (queue.length >= maxWaiting) return Promise.reject(refuse());
      const deferred = createDeferred<Output>();
      queue.push({ input, deferred });
      running ??= drain();
      return deferred.promise;
    },
    idle: async () => {
      await running;
    },
  };
}
