/** A source of randomness that gives the same sequence for the same seed, on every machine. */
export interface Random {
  /** Returns a number in [0, 1). */
  next(): number;
  /** Returns an integer from `low` to `high`, both included. */
  between(low: number, high: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Picks an item by weight. */
  weighted<T>(list: readonly (readonly [weight: number, item: T])[]): T;
  /** Picks up to `count` items of the list, in its order. */
  some<T>(list: readonly T[], count: number): T[];
}

/**
 * Uses xoshiro128** (Blackman and Vigna). splitmix32 fills its state, so that neighbouring seeds have nothing in
 * common.
 */
export function createRandom(...seed: readonly number[]): Random {
  let filling = seed.reduce((mixed, part) => Math.imul(mixed ^ part, 0x9e3779b1) + 0x85ebca6b, 0);
  const state = new Uint32Array(4);
  for (let word = 0; word < 4; word++) {
    filling = (filling + 0x9e3779b9) | 0;
    let mixed = filling ^ (filling >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    state[word] = mixed ^ (mixed >>> 15);
  }

  const next = (): number => {
    const [a, b, c, d] = state as unknown as [number, number, number, number];
    const result = Math.imul(rotate(Math.imul(b, 5), 7), 9) >>> 0;
    const e = c ^ a;
    const f = d ^ b;
    state[0] = a ^ f;
    state[1] = b ^ e;
    state[2] = e ^ (b << 9);
    state[3] = rotate(f, 11);
    return result / 2 ** 32;
  };
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const chance = (probability: number) => next() < probability;

  return {
    next,
    between,
    chance,
    pick: (list) => {
      if (list.length === 0) throw new TypeError('pick: list is empty');
      return list[between(0, list.length - 1)]!;
    },
    weighted: (list) => {
      let left = next() * list.reduce((sum, [weight]) => sum + weight, 0);
      const found = list.find(([weight]) => {
        left -= weight;
        return left < 0;
      });
      return (found ?? list.at(-1)!)[1];
    },
    some: (list, count) => {
      let wanted = Math.min(count, list.length);
      return list.filter((_, index) => {
        const taken = next() * (list.length - index) < wanted;
        if (taken) wanted--;
        return taken;
      });
    },
  };
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}
