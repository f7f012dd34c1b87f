/** A conversation with more than this waiting is not read any further until the handlers have caught up. */
const MAX_WAITING = 256;

interface Lane {
  waiting: number;
  end: Promise<void>;
}

/**
 * One after the other within a conversation, side by side among several. Whoever pushes does not wait for the work: a
 * handler may itself be waiting for an answer that comes behind it.
 */
export class Lanes {
  readonly #lanes = new Map<string, Lane>();

  /** Resolves when there is room for more. `work` must not reject. */
  async push(key: string, work: () => Promise<void>): Promise<void> {
    const lane = this.#lanes.get(key) ?? { waiting: 0, end: Promise.resolve() };
    this.#lanes.set(key, lane);
    lane.waiting += 1;
    const mine = lane.end.then(work).then(() => {
      lane.waiting -= 1;
      if (lane.waiting === 0) this.#lanes.delete(key);
    });
    lane.end = mine;
    if (lane.waiting >= MAX_WAITING) await mine;
  }

  async idle(): Promise<void> {
    while (this.#lanes.size > 0) await Promise.all([...this.#lanes.values()].map(({ end }) => end));
  }
}
