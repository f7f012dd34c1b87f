/** The most streams of one account, on one node. */
const MAX_STREAMS = 4;

export interface StreamSlot {
  /** Aborted when the account has opened too many other streams. */
  readonly signal: AbortSignal;
  release(): void;
}

/** Limits the streams of each account. The oldest one ends, because it may be one that nobody reads any more. */
export function createStreamSlots(): (accountId: string) => StreamSlot {
  const open = new Map<string, Set<AbortController>>();
  return (accountId) => {
    const own = open.get(accountId) ?? new Set();
    open.set(accountId, own);
    const slot = new AbortController();
    const release = () => {
      own.delete(slot);
      if (own.size === 0 && open.get(accountId) === own) open.delete(accountId);
    };
    own.add(slot);
    if (own.size > MAX_STREAMS) {
      const oldest = own.values().next().value!;
      own.delete(oldest);
      oldest.abort();
    }
    return { signal: slot.signal, release };
  };
}
