import type { Store } from '@parley/messenger';

const HOUR_MS = 3_600_000;
/** Retries go on for a day (TR-6). */
const KEPT_MS = 25 * HOUR_MS;
const PREFIX = 'agent/delivery/';

/** Remembers which deliveries were handled: a repeated one is answered, but not handled again (TR-6). */
export class HandledDeliveries {
  readonly #store: Store;
  readonly #now: () => Date;
  readonly #running = new Map<string, Promise<unknown>>();
  #prunedAt = 0;

  constructor(store: Store, now: () => Date) {
    this.#store = store;
    this.#now = now;
  }

  /** Returns undefined if the delivery was handled before, or is being handled: two attempts may arrive at once. */
  async once<T>(id: string, handle: () => Promise<T>): Promise<T | undefined> {
    const running = this.#running.get(id);
    if (running !== undefined) {
      await running;
      return undefined;
    }
    const mine = this.#handle(id, handle);
    this.#running.set(id, mine);
    try {
      return await mine;
    } finally {
      this.#running.delete(id);
    }
  }

  async #handle<T>(id: string, handle: () => Promise<T>): Promise<T | undefined> {
    if ((await this.#store.get(PREFIX + id)) !== undefined) return undefined;
    const result = await handle();
    const now = this.#now().getTime();
    await this.#store.write(new Map([[PREFIX + id, String(now)], ...(await this.#outdated(now))]));
    return result;
  }

  async #outdated(now: number): Promise<[string, null][]> {
    if (now - this.#prunedAt < HOUR_MS) return [];
    this.#prunedAt = now;
    const entries = await this.#store.list(PREFIX);
    return entries.filter(([, at]) => now - Number(at) > KEPT_MS).map(([key]) => [key, null]);
  }
}
