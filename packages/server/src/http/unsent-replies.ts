import { rateLimited } from './request-error.ts';

/** What waits in memory because clients do not read their replies, by account, or by network for strangers (OP-1). */
export interface UnsentReplies {
  /** RATE_LIMITED while there is too much. */
  requireRoom(who: string): void;
  /** Returns a function that gives it back. */
  hold(who: string, bytes: number): () => void;
}

export function createUnsentReplies(maxBytes: number): UnsentReplies {
  const held = new Map<string, number>();
  const add = (who: string, bytes: number) => {
    const sum = (held.get(who) ?? 0) + bytes;
    if (sum === 0) held.delete(who);
    else held.set(who, sum);
  };
  return {
    requireRoom: (who) => {
      if ((held.get(who) ?? 0) >= maxBytes) throw rateLimited(1, 'unsent_replies');
    },
    hold: (who, bytes) => {
      add(who, bytes);
      return () => add(who, -bytes);
    },
  };
}
