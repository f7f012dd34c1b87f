/** Tasks of one key run one after the other, those of different keys in parallel. A key without tasks is forgotten. */
export interface KeyedQueue {
  /** Resolves with the result of the task. A task that fails does not stop those behind it. */
  run<Result>(key: string, task: () => Promise<Result>): Promise<Result>;
  /** How many tasks of this key run or wait. */
  count(key: string): number;
  /** Resolves when no task is left, including those that were added in the meantime. */
  idle(): Promise<void>;
}

interface KeyState {
  count: number;
  last: Promise<unknown>;
}

export function createKeyedQueue(): KeyedQueue {
  const states = new Map<string, KeyState>();
  return {
    run: (key, task) => {
      const state = states.get(key);
      // Starts at once if no task of this key is waiting, which is the usual case.
      const turn = state === undefined ? task() : state.last.then(task, task);
      const own: KeyState = state ?? { count: 0, last: turn };
      own.count++;
      own.last = turn;
      states.set(key, own);
      const leave = () => {
        own.count--;
        if (own.count === 0) states.delete(key);
      };
      turn.then(leave, leave);
      return turn;
    },
    count: (key) => states.get(key)?.count ?? 0,
    idle: async () => {
      while (states.size > 0) await Promise.allSettled([...states.values()].map(({ last }) => last));
    },
  };
}
