import { createLru } from '@parley/base';
import { countWaiting } from '../budgets/waiting-deliveries.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';

/** A delivery, as far as it matters whose it is. */
export interface Guest {
  readonly ownerId: string;
  /** Who caused it. */
  readonly senderId: string;
}

/**
 * How many deliveries of an account wait, as far as its budget needs to know (OP-1). One sender may have waiting a quarter of
 * what the owner's others leave: whoever writes to someone's agent does not use up the room of all who write to them.
 */
export interface WaitingRoom {
  /** Says which of these may be made, in their order. Call `add` with those that were. */
  admit<One extends Guest>(trx: Trx, wanted: readonly One[]): Promise<Admitted<One>>;
  add(made: readonly Guest[]): void;
}

interface Admitted<One> {
  readonly made: One[];
  readonly refused: One[];
}

/** What waits, and whose it is. Deliveries that end, and those that another node makes, are noticed when it is counted again. */
interface Estimate {
  waiting: number;
  readonly bySender: Map<string, number>;
  readonly countedAt: number;
}

const MAX_ACCOUNTS = 10_000;
/** An account that is refused some is counted again after this time. */
const RECOUNT_MS = 1_000;
/** And every other account that gets some, after this time. */
const FRESH_MS = 10_000;
const SHARE = 1 / 4;

export function createWaitingRoom({ budgets, elapsed }: Pick<Platform, 'budgets' | 'elapsed'>): WaitingRoom {
  const estimates = createLru<string, Estimate>(MAX_ACCOUNTS);
  const limitOf = (accountId: string) => budgets.limitOf(accountId, 'waiting_deliveries');
  const read = async (trx: Trx, accountIds: readonly string[]): Promise<void> => {
    if (accountIds.length === 0) return;
    for (const id of accountIds) estimates.set(id, { waiting: 0, bySender: new Map(), countedAt: elapsed() });
    for (const { owner_id: ownerId, sender_id: senderId, count } of await countWaiting(trx, accountIds))
      note(estimates.get(ownerId)!, senderId, count);
  };
  const decide = <One extends Guest>(wanted: readonly One[]): Admitted<One> => {
    const [made, refused]: [One[], One[]] = [[], []];
    const tallies = new Map<string, Estimate>();
    for (const one of wanted) {
      const { ownerId, senderId } = one;
      const known = estimates.get(ownerId);
      const tally = tallies.get(ownerId) ?? { waiting: 0, bySender: new Map(), countedAt: 0 };
      const waiting = (known?.waiting ?? 0) + tally.waiting;
      const own = (known?.bySender.get(senderId) ?? 0) + (tally.bySender.get(senderId) ?? 0);
      const left = limitOf(ownerId) - waiting;
      if (left > 0 && (senderId === ownerId || own < SHARE * (left + own))) {
        made.push(one);
        note(tally, senderId, 1);
        tallies.set(ownerId, tally);
      } else refused.push(one);
    }
    return { made, refused };
  };
  return {
    admit: async (trx, wanted) => {
      const owners = [...new Set(wanted.map(({ ownerId }) => ownerId))];
      const limited = owners.filter((id) => limitOf(id) !== Number.POSITIVE_INFINITY);
      const age = (id: string) => elapsed() - (estimates.get(id)?.countedAt ?? Number.NEGATIVE_INFINITY);
      await read(
        trx,
        limited.filter((id) => age(id) >= FRESH_MS),
      );
      const first = decide(wanted);
      const full = [...new Set(first.refused.map(({ ownerId }) => ownerId))];
      const old = full.filter((id) => age(id) >= RECOUNT_MS);
      if (old.length === 0) return first;
      await read(trx, old);
      return decide(wanted);
    },
    add: (made) => {
      for (const { ownerId, senderId } of made) {
        const estimate = estimates.get(ownerId);
        if (estimate !== undefined) note(estimate, senderId, 1);
      }
    },
  };
}

function note(estimate: Estimate, senderId: string, count: number): void {
  estimate.waiting += count;
  estimate.bySender.set(senderId, (estimate.bySender.get(senderId) ?? 0) + count);
}
