/** Of one agent, on one node. Each looks for news whenever there are any: a thousand would be a thousand questions each. */
const MAX_POLLS = 8;

/** Those who wait in a long poll. */
export interface Polls {
  /** With too many of the same agent, the oldest is sent away with nothing. */
  enter(agentId: string): { readonly signal: AbortSignal; leave(): void };
  /** Sends everyone away. */
  end(): void;
}

export function createPolls(): Polls {
  const waiting = new Map<string, Set<AbortController>>();
  let ended = false;
  return {
    enter: (agentId) => {
      const place = new AbortController();
      const others = waiting.get(agentId) ?? new Set();
      waiting.set(agentId, others);
      others.add(place);
      if (others.size > MAX_POLLS) others.values().next().value!.abort();
      if (ended) place.abort();
      const leave = () => {
        others.delete(place);
        if (others.size === 0 && waiting.get(agentId) === others) waiting.delete(agentId);
        place.abort();
      };
      place.signal.addEventListener('abort', leave, { once: true });
      return { signal: place.signal, leave };
    },
    end: () => {
      ended = true;
      for (const place of [...waiting.values()].flatMap((places) => [...places])) place.abort();
    },
  };
}
