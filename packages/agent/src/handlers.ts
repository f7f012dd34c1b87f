type Handler<T> = (value: T) => unknown;

/** Values that arrive before the first handler was added are queued; the oldest are dropped beyond this. */
const MAX_HELD = 256;

/** Begins the work for a value, now or when its turn comes; resolves when there is room for more. */
export type StartWork<T = unknown> = (value: T, work: () => Promise<void>) => void | Promise<void>;

interface HandlersOptions<T> {
  readonly start: StartWork<T>;
  readonly onError: (error: unknown) => void;
}

/** Several, in the order in which they were added; one that fails does not stop the rest (SK-1). */
export class Handlers<T> {
  readonly #options: HandlersOptions<T>;
  #handlers: readonly Handler<T>[] = [];
  /** Undefined once a handler was added. */
  #held: T[] | undefined = [];

  constructor(options: HandlersOptions<T>) {
    this.#options = options;
  }

  add(handler: Handler<T>): () => void {
    if (typeof handler !== 'function') throw new TypeError('handler: must be a function');
    // A new function, so that a handler that was added twice is removed once.
    const own: Handler<T> = (value) => handler(value);
    this.#handlers = [...this.#handlers, own];
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const value of held) void this.offer(value);
    return () => {
      this.#handlers = this.#handlers.filter((other) => other !== own);
    };
  }

  offer(value: T): void | Promise<void> {
    if (this.#held === undefined) return this.#options.start(value, () => this.#run(value));
    this.#held.push(value);
    if (this.#held.length > MAX_HELD) this.#held.shift();
  }

  /** Starts no more handlers; those that run go on. */
  dismiss(): void {
    this.#handlers = [];
    this.#held = undefined;
  }

  /** Never rejects. */
  async #run(value: T): Promise<void> {
    for (const handler of this.#handlers) {
      try {
        await handler(value);
      } catch (error) {
        this.#options.onError(error);
      }
    }
  }
}
