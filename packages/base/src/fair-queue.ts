/**
 * A queue that gives each account its turn (deficit round robin): who waits with one item waits for one turn of each
 * other account, however much those have waiting. The items of one account keep their order.
 */
export interface FairQueue<Item> {
  /** The number of waiting items, and what they cost together. */
  readonly size: number;
  readonly cost: number;
  /** How many items of this account wait. */
  count(account: string): number;
  /** Items that cost more use up more of their account's turns. Nothing is kept unless it returns `added`. */
  add(account: string, item: Item, cost?: number): Admission;
  /** Takes the next item, passing over accounts that are not ready; undefined if there is none. */
  take(isReady?: (account: string) => boolean): Item | undefined;
  /** Takes items by turns, at least one, until the next would exceed a limit. */
  takeBatch(limit: { readonly count: number; readonly cost: number }): Item[];
}

/** `account_full`: this account has too much waiting. `full`: all together have. */
export type Admission = 'added' | 'account_full' | 'full';

export interface FairQueueOptions {
  /** What an account may spend in one turn. What it does not spend, it has in its next turn while it still waits. */
  readonly turn: number;
  /** Of all accounts together. An item is refused once as much as this is waiting, so the last one may exceed it. */
  readonly max: { readonly count: number; readonly cost: number };
  readonly maxOfOne: { readonly count: number; readonly cost: number };
}

interface Entry<Item> {
  readonly item: Item;
  readonly cost: number;
}

/** An account with waiting items, in a ring of all of them. */
interface Share<Item> {
  readonly account: string;
  readonly entries: Entry<Item>[];
  /** The index of the first entry: shifting an array costs as much as it is long. */
  first: number;
  cost: number;
  credit: number;
  isInTurn: boolean;
  next: Share<Item>;
}

const COMPACT_AT = 1_024;

export function createFairQueue<Item>({ turn, max, maxOfOne }: FairQueueOptions): FairQueue<Item> {
  if (!(turn > 0)) throw new TypeError('turn: must be more than 0');
  const shares = new Map<string, Share<Item>>();
  /** The account whose turn comes last; the one behind it has its turn now. */
  let last: Share<Item> | undefined;
  let size = 0;
  let cost = 0;

  const enter = (account: string): Share<Item> => {
    const share = { account, entries: [], first: 0, cost: 0, credit: 0, isInTurn: false } as unknown as Share<Item>;
    share.next = last === undefined ? share : last.next;
    if (last !== undefined) last.next = share;
    last = share;
    shares.set(account, share);
    return share;
  };
  /** The account whose next item is due. Its place in the ring is right behind `last`. */
  const findDue = (isReady: (account: string) => boolean): Share<Item> | undefined => {
    for (let passed = 0; last !== undefined && passed < shares.size; ) {
      const share: Share<Item> = last.next;
      if (isReady(share.account)) {
        passed = 0;
        if (!share.isInTurn) share.credit += turn;
        share.isInTurn = share.entries[share.first]!.cost <= share.credit;
        if (share.isInTurn) return share;
      } else passed++;
      last = share;
    }
    return undefined;
  };
  const shift = (share: Share<Item>): Item => {
    const entry = share.entries[share.first]!;
    share.entries[share.first] = undefined as unknown as Entry<Item>;
    share.first++;
    share.credit -= entry.cost;
    share.cost -= entry.cost;
    cost -= entry.cost;
    size--;
    if (share.first === share.entries.length) {
      shares.delete(share.account);
      if (share.next === share) last = undefined;
      else last!.next = share.next;
    } else if (share.first >= COMPACT_AT && share.first * 2 >= share.entries.length) {
      share.entries.splice(0, share.first);
      share.first = 0;
    }
    return entry.item;
  };
  const always = () => true;

  return {
    get size() {
      return size;
    },
    get cost() {
      return cost;
    },
    count: (account) => {
      const share = shares.get(account);
      return share === undefined ? 0 : share.entries.length - share.first;
    },
    add: (account, item, itemCost = 1) => {
      if (!(itemCost > 0)) throw new TypeError('cost: must be more than 0');
      const known = shares.get(account);
      if (known !== undefined) {
        const isFull = known.entries.length - known.first >= maxOfOne.count || known.cost >= maxOfOne.cost;
        if (isFull) return 'account_full';
      }
      if (size >= max.count || cost >= max.cost) return 'full';
      const share = known ?? enter(account);
      share.entries.push({ item, cost: itemCost });
      share.cost += itemCost;
      size++;
      cost += itemCost;
      return 'added';
    },
    take: (isReady = always) => {
      const share = findDue(isReady);
      return share === undefined ? undefined : shift(share);
    },
    takeBatch: (limit) => {
      const batch: Item[] = [];
      let spent = 0;
      while (batch.length < limit.count) {
        const share = findDue(always);
        if (share === undefined) break;
        spent += share.entries[share.first]!.cost;
        if (batch.length > 0 && spent > limit.cost) break;
        batch.push(shift(share));
      }
      return batch;
    },
  };
}
