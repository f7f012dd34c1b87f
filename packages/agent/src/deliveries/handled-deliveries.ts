import type { ServerClock, Store } from '@parley/messenger';

const HOUR_MS = 3_600_000;
/** Retries go on for a day (TR-6). */
const KEPT_MS = 25 * HOUR_MS;
const PREFIX = 'agent/delivery/';
const UNDATED = 'undated';

/** Remembers which deliveries were handled: a repeated one is answered, but not handled again (TR-6). */
export class HandledDeliveries {
  readonly #store: Store;
  readonly #clock: Pick<ServerClock, 'pruningTime'>;
  readonly #running = new Map<string, Promise<unknown>>();
  #prunedAt = 0;

  constructor(store: Store, clock: Pick<ServerClock, 'pruningTime'>) {
    this.#store = store;
    this.#clock = clock;
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
    const time = this.#clock.pruningTime()?.getTime();
    const entry = [PREFIX + id, time === undefined ? UNDATED : String(time)] as const;
    await this.#store.write(new Map([...(await this.#prune(time)), entry]));
    return result;
  }

  /** Ages count between two times at which the device's clock and the server's agreed (EE-25). */
  async #prune(time: number | undefined): Promise<readonly (readonly [string, string | null])[]> {
    if (time === undefined || Math.abs(time - this.#prunedAt) < HOUR_MS) return [];
    this.#prunedAt = time;
    const entries = await this.#store.list(PREFIX);
    return entries.flatMap(([key, at]): readonly (readonly [string, string | null])[] => {
      if (at === UNDATED) return [[key, String(time)]];
      return time - Number(at) > KEPT_MS ? [[key, null]] : [];
    });
  }
}
