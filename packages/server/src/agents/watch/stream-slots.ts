/** Of one account, on one node. */
const MAX_STREAMS = 4;

export interface Place {
  /** Aborted when the account has opened too many others. */
  readonly signal: AbortSignal;
  leave(): void;
}

/** Those who watch: of too many, the oldest goes, since it may be one that nobody reads. */
export function createPlaces(): (accountId: string) => Place {
  const taken = new Map<string, Set<AbortController>>();
  return (accountId) => {
    const mine = taken.get(accountId) ?? new Set();
    taken.set(accountId, mine);
    const place = new AbortController();
    const leave = () => {
      mine.delete(place);
      if (mine.size === 0 && taken.get(accountId) === mine) taken.delete(accountId);
    };
    mine.add(place);
    if (mine.size > MAX_STREAMS) {
      const oldest = mine.values().next().value!;
      mine.delete(oldest);
      oldest.abort();
    }
    return { signal: place.signal, leave };
  };
}
