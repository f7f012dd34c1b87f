/** Tasks of one key run one after the other, those of different keys in parallel. A key without tasks is forgotten. */
export interface KeyedQueue {
  /** Resolves with the result of the task. A task that fails does not stop those behind it. */
  run<Result>(key: string, task: () => Promise<Result>): Promise<Result>;
  /** How many tasks of this key run or wait. */
  count(key: string): number;
  /** Resolves when no task is left, including those that were added in the meantime. */
  idle(): Promise<void>;
}

interface Lane {
  count: number;
  last: Promise<unknown>;
}

export function createKeyedQueue(): KeyedQueue {
  const lanes = new Map<string, Lane>();
  return {
    run: (key, task) => {
      const lane = lanes.get(key);
      // Starts at once if no task of this key is waiting, which is the usual case.
      const turn = lane === undefined ? task() : lane.last.then(task, task);
      const own: Lane = lane ?? { count: 0, last: turn };
      own.count++;
      own.last = turn;
      lanes.set(key, own);
      const leave = () => {
        own.count--;
        if (own.count === 0) lanes.delete(key);
      };
      turn.then(leave, leave);
      return turn;
    },
    count: (key) => lanes.get(key)?.count ?? 0,
    idle: async () => {
      while (lanes.size > 0) await Promise.allSettled([...lanes.values()].map(({ last }) => last));
    },
  };
}
