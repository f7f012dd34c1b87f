const MAX_CALLERS = 10_000;

interface Bucket {
  tokens: number;
  at: number;
}

/** So many a minute for each caller, all of them at once if need be. Counted in this process alone. */
export class RateLimit {
  readonly #perMinute: number;
  readonly #buckets = new Map<string, Bucket>();

  constructor(perMinute: number) {
    if (!(perMinute > 0)) throw new TypeError('perMinute: must be more than 0');
    this.#perMinute = perMinute;
  }

  /** 0, or the milliseconds after which the next one is allowed. */
  take(caller: string, now: number): number {
    const rate = this.#perMinute / 60_000;
    const { tokens, at } = this.#buckets.get(caller) ?? { tokens: this.#perMinute, at: now };
    const filled = Math.min(this.#perMinute, tokens + Math.max(0, now - at) * rate);
    const allowed = filled >= 1;
    this.#buckets.delete(caller);
    this.#buckets.set(caller, { tokens: allowed ? filled - 1 : filled, at: now });
    // Whoever was not seen for longest has a full bucket, most likely.
    if (this.#buckets.size > MAX_CALLERS) this.#buckets.delete(this.#buckets.keys().next().value!);
    return allowed ? 0 : Math.ceil((1 - filled) / rate);
  }
}
