/**
 * The most polls of one agent, on one node. Each reads the database whenever there is news: a thousand would read it a
 * thousand times.
 */
const MAX_POLLS = 8;

/** Requests that wait for news. */
export interface LongPolls {
  /** If an agent has too many polls, the oldest is answered with nothing. */
  begin(agentId: string): LongPoll;
  /** Answers every poll with nothing, including those that begin later. */
  end(): void;
}

interface LongPoll {
  /** Aborted when the poll must be answered at once. */
  readonly signal: AbortSignal;
  finish(): void;
}

export function createLongPolls(): LongPolls {
  const waiting = new Map<string, Set<AbortController>>();
  let ended = false;
  return {
    begin: (agentId) => {
      const poll = new AbortController();
      const others = waiting.get(agentId) ?? new Set();
      waiting.set(agentId, others);
      others.add(poll);
      if (others.size > MAX_POLLS) others.values().next().value!.abort();
      if (ended) poll.abort();
      const finish = () => {
        others.delete(poll);
        if (others.size === 0 && waiting.get(agentId) === others) waiting.delete(agentId);
        poll.abort();
      };
      poll.signal.addEventListener('abort', finish, { once: true });
      return { signal: poll.signal, finish };
    },
    end: () => {
      ended = true;
      for (const poll of [...waiting.values()].flatMap((polls) => [...polls])) poll.abort();
    },
  };
}
