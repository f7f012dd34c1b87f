/** Messages of conversations that someone else has locked, in the order in which they came (OP-3). */
export interface HeldMessages<Item extends Holdable> {
  readonly size: number;
  readonly cost: number;
  /** Of one account. */
  of(account: string): { readonly count: number; readonly cost: number };
  has(conversation: string): boolean;
  /** Behind those of its conversation. */
  add(item: Item): void;
  /** In front of those of their conversations, from which they were taken. */
  putBack(items: readonly Item[]): void;
  /** Takes the first ones of as many conversations as fit; the next call begins with the others. They cost what `costOf` says now. */
  take(limit: { readonly count: number; readonly cost: number }, costOf?: (item: Item) => number): Item[];
}

export interface Holdable {
  readonly account: string;
  readonly conversation: string;
  readonly cost: number;
}

const NOTHING = { count: 0, cost: 0 };

export function createHeldMessages<Item extends Holdable>(): HeldMessages<Item> {
  const lists = new Map<string, Item[]>();
  const shares = new Map<string, { readonly count: number; readonly cost: number }>();
  let size = 0;
  let cost = 0;

  const note = (item: Item, by: 1 | -1): void => {
    size += by;
    cost += by * item.cost;
    const before = shares.get(item.account) ?? NOTHING;
    const share = { count: before.count + by, cost: before.cost + by * item.cost };
    if (share.count === 0) shares.delete(item.account);
    else shares.set(item.account, share);
  };
  return {
    get size() {
      return size;
    },
    get cost() {
      return cost;
    },
    of: (account) => shares.get(account) ?? NOTHING,
    has: (conversation) => lists.has(conversation),
    add: (item) => {
      note(item, 1);
      const list = lists.get(item.conversation);
      if (list === undefined) lists.set(item.conversation, [item]);
      else list.push(item);
    },
    putBack: (items) => {
      for (const item of items) note(item, 1);
      for (const item of items.toReversed()) {
        const list = lists.get(item.conversation);
        if (list === undefined) lists.set(item.conversation, [item]);
        else list.unshift(item);
      }
    },
    take: (limit, costOf = ({ cost }) => cost) => {
      const taken: Item[] = [];
      let spent = 0;
      for (const [conversation, list] of [...lists]) {
        if (taken.length >= limit.count || spent >= limit.cost) break;
        let end = 0;
        for (; end < list.length && taken.length < limit.count && spent < limit.cost; end++) {
          const item = list[end]!;
          note(item, -1);
          spent += costOf(item);
          taken.push(item);
        }
        lists.delete(conversation);
        if (end < list.length) lists.set(conversation, list.slice(end));
      }
      return taken;
    },
  };
}
