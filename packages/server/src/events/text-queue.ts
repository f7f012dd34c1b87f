import { randomBytes } from 'node:crypto';
import { createFairQueue } from '@parley/base';

const KB = 1024;
const MB = 1024 * KB;
/** A notification has room for so much of a text, and so many keys. */
const MAX_PART = 5_000;
const KEYS_AT_ONCE = 40;
/**
 * Beyond this the newest are dropped, because they matter only now: of one account, so that there is room for the others,
 * and of all.
 */
const LIMITS = {
  turn: 8 * KB,
  max: { count: 20_000, cost: 32 * MB },
  maxOfOne: { count: 1_000, cost: MB },
};
/** Few enough that whoever comes now does not wait long for the notification before. */
const BATCH = { count: 200, cost: 256 * KB };
/** The most texts of other nodes that have begun and not ended. */
const MAX_OPEN = 1_000;

/** Texts that wait to be told to other nodes, in turns by account (OP-3). */
export interface TextQueue {
  readonly size: number;
  add(portion: Portion): void;
  /** Takes some, each whole. */
  take(): Portion[];
}

/** A text for some keys, in as many notifications as it needs. */
export interface Portion {
  readonly account: string;
  readonly parts: readonly string[];
}

export function createTextQueue(): TextQueue {
  const queue = createFairQueue<Portion>(LIMITS);
  return {
    get size() {
      return queue.size;
    },
    add: (portion) => {
      queue.add(
        portion.account,
        portion,
        portion.parts.reduce((sum, part) => sum + part.length, 0),
      );
    },
    take: () => queue.takeBatch(BATCH),
  };
}

/** How many portions a text for so many keys is. */
export const countPortions = (keys: number): number => Math.ceil(keys / KEYS_AT_ONCE);

/** A text larger than a notification goes in parts: `id index count keys text`. */
export function splitText(keys: readonly string[], text: string, account: string): Portion[] {
  const portions: Portion[] = [];
  const count = Math.max(1, Math.ceil(text.length / MAX_PART));
  for (let start = 0; start < keys.length; start += KEYS_AT_ONCE) {
    const id = randomBytes(6).toString('hex');
    const some = keys.slice(start, start + KEYS_AT_ONCE).join(',');
    const parts = Array.from({ length: count }, (_, index) => {
      return `${id} ${index} ${count} ${some} ${text.slice(index * MAX_PART, (index + 1) * MAX_PART)}`;
    });
    portions.push({ account, parts });
  }
  return portions;
}

/** Puts parts together. One node's notifications arrive in order, so a text that misses a part never ends. */
export function createParts() {
  const open = new Map<string, string>();
  return {
    add: (body: string): { keys: string[]; text: string } | undefined => {
      const [id, index, count, keys] = body.split(' ', 4) as [string, string, string, string];
      const part = body.slice(id.length + index.length + count.length + keys.length + 4);
      const text = (open.get(id) ?? '') + part;
      if (Number(index) + 1 < Number(count)) {
        open.set(id, text);
        if (open.size > MAX_OPEN) open.delete(open.keys().next().value!);
        return undefined;
      }
      open.delete(id);
      return { keys: keys.split(','), text };
    },
  };
}
