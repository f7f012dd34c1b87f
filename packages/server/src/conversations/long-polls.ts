/**
 * The most polls of one agent, on one node. Each reads the database whenever there is news: a thousand would read it a
 * thousand times.
 */
const MAX_POLLS = 8;

/** Requests that wait for news, collect them, or have an answer that is not read yet. */
export interface LongPolls {
  /**
   * If an agent has too many polls, the oldest is answered with nothing; if it has its answer already and does not read it,
   * it is cut off.
   */
  begin(agentId: string, cutOff: () => void): LongPoll;
  /** Answers every poll with nothing, including those that begin later. */
  end(): void;
}

interface LongPoll {
  /** Aborted when the poll must be answered at once. */
  readonly signal: AbortSignal;
  /** From now on it can only be cut off. */
  noteAnswered(): void;
  /** Its answer has left, or nobody waits for it. */
  finish(): void;
}

interface Running {
  readonly abort: AbortController;
  readonly cutOff: () => void;
  isAnswered: boolean;
}

export function createLongPolls(): LongPolls {
  /** Those of each agent, the oldest first. */
  const running = new Map<string, Set<Running>>();
  let ended = false;
  return {
    begin: (agentId, cutOff) => {
      const poll: Running = { abort: new AbortController(), cutOff, isAnswered: false };
      const others = running.get(agentId) ?? new Set();
      running.set(agentId, others);
      others.add(poll);
      if (others.size > MAX_POLLS) {
        const oldest = others.values().next().value!;
        others.delete(oldest);
        oldest.abort.abort();
        if (oldest.isAnswered) oldest.cutOff();
      }
      if (ended) poll.abort.abort();
      return {
        signal: poll.abort.signal,
        noteAnswered: () => {
          poll.isAnswered = true;
        },
        finish: () => {
          others.delete(poll);
          if (others.size === 0 && running.get(agentId) === others) running.delete(agentId);
          poll.abort.abort();
        },
      };
    },
    end: () => {
      ended = true;
      for (const { abort } of [...running.values()].flatMap((polls) => [...polls])) abort.abort();
    },
  };
}
