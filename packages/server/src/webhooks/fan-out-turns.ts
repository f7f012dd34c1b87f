import { createLru } from '@parley/base';

/** An event whose deliveries are not made yet. */
export interface Waiting {
  readonly id: number;
  readonly account_id: string;
  readonly deliveries: number;
}

/**
 * Whose deliveries are made next (OP-3): by deficit round robin over the accounts whose messages they are, as a queue in
 * memory would, but what waits is in the database and is looked up for each round. What is remembered in between is whose turn
 * it was, and what each account owes for events that were larger than its turn.
 */
export interface FanOutTurns {
  /** The account that had the last turn. */
  readonly last: string;
  /**
   * Takes events by turns, at least one, until they make so many deliveries together. Those of one account have to be in
   * their order, and the accounts in that of their ids, beginning behind `last`.
   */
  take(waiting: readonly Waiting[], deliveries: number): Waiting[];
}

/** Before all others. */
export const NO_ACCOUNT = '00000000-0000-0000-0000-000000000000';
/** The deliveries that an account may have made in its turn; the last event may be larger than what is left. */
const TURN = 100;
const MAX_DEBTORS = 10_000;

export function createFanOutTurns(): FanOutTurns {
  const debts = createLru<string, number>(MAX_DEBTORS);
  let last = NO_ACCOUNT;

  return {
    get last() {
      return last;
    },
    take: (waiting, deliveries) => {
      const ring = groupByAccount(waiting);
      const taken: Waiting[] = [];
      let left = deliveries;
      while (left > 0 && ring.size > 0) {
        for (const [account, events] of ring) {
          if (left <= 0) break;
          let credit = TURN - (debts.get(account) ?? 0);
          while (events.length > 0 && credit > 0 && left > 0) {
            const event = events.shift()!;
            credit -= event.deliveries;
            left -= event.deliveries;
            taken.push(event);
            last = account;
          }
          if (credit < 0) debts.set(account, -credit);
          else debts.delete(account);
          if (events.length === 0) ring.delete(account);
        }
      }
      return taken;
    },
  };
}

function groupByAccount(waiting: readonly Waiting[]): Map<string, Waiting[]> {
  const groups = new Map<string, Waiting[]>();
  for (const event of waiting) {
    const group = groups.get(event.account_id);
    if (group === undefined) groups.set(event.account_id, [event]);
    else group.push(event);
  }
  return groups;
}
