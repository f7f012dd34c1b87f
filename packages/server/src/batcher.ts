import { Failure } from './http/failure.ts';

/** Beyond this whoever asks is told to come back: memory is not a queue. */
const MAX_WAITING = 5_000;

export interface Batcher<Input, Outcome> {
  /** Rejects with the outcome if that is a Failure. */
  add(input: Input): Promise<Outcome>;
  /** Resolves when everything that was added has its outcome. */
  idle(): Promise<void>;
}

interface Waiting<Input, Outcome> {
  readonly input: Input;
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** Joins what is asked for at the same time: what arrives while one run is under way goes into the next. */
export function createBatcher<Input, Outcome>(
  run: (inputs: readonly Input[]) => Promise<readonly (Outcome | Failure)[]>,
  size: number,
): Batcher<Input, Outcome> {
  const queue: Waiting<Input, Outcome>[] = [];
  let running: Promise<void> | undefined;

  const settle = async (batch: readonly Waiting<Input, Outcome>[]): Promise<void> => {
    try {
      const outcomes = await run(batch.map(({ input }) => input));
      batch.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index]!;
        if (outcome instanceof Failure) reject(outcome);
        else resolve(outcome);
      });
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure('UNAVAILABLE', {}, { cause: error });
      for (const { reject } of batch) reject(failure);
    }
  };
  const drain = async (): Promise<void> => {
    // What arrived in one packet should not be split into a batch of one and the rest.
    await new Promise(setImmediate);
    while (queue.length > 0) await settle(queue.splice(0, size));
    running = undefined;
  };

  return {
    add: (input) => {
      if (queue.length >= MAX_WAITING) return Promise.reject(new Failure('UNAVAILABLE'));
      return new Promise<Outcome>((resolve, reject) => {
        queue.push({ input, resolve, reject });
        running ??= drain();
      });
    },
    idle: async () => {
      await running;
    },
  };
}
