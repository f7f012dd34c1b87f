/** Tasks of one name run one after the other; those of different names beside each other. */
export interface Lanes {
  run<T>(name: string, task: () => Promise<T>): Promise<T>;
}

export function createLanes(): Lanes {
  const last = new Map<string, Promise<unknown>>();
  return {
    run: (name, task) => {
      const before = last.get(name);
      const turn = before === undefined ? task() : before.then(task, task);
      last.set(name, turn);
      const leave = () => {
        if (last.get(name) === turn) last.delete(name);
      };
      turn.then(leave, leave);
      return turn;
    },
  };
}
