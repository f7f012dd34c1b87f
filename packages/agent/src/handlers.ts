type Handler<T> = (value: T) => unknown;

/** Values that arrive before the first handler is added are queued; beyond this number the oldest are dropped. */
const MAX_HELD = 256;

/** Begins the work for a value, now or in its turn; resolves when there is room for more. */
export type StartWork<T = unknown> = (value: T, work: () => Promise<void>) => void | Promise<void>;

interface HandlersOptions<T> {
  readonly start: StartWork<T>;
  readonly onError: (error: unknown) => void;
}

/** Calls several handlers in the order in which they were added; one that fails does not stop the rest (SK-1). */
export class Handlers<T> {
  readonly #options: HandlersOptions<T>;
  #handlers: readonly Handler<T>[] = [];
  /** The queued values; undefined once a handler was added. */
  #held: T[] | undefined = [];

  constructor(options: HandlersOptions<T>) {
    this.#options = options;
  }

  add(handler: Handler<T>): () => void {
    if (typeof handler !== 'function') throw new TypeError('handler: must be a function');
    // Each handler is wrapped in a new function, so that one that was added twice is removed once.
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

  /** Starts no more handlers; running ones continue. */
  dismiss(): void {
    this.#handlers = [];
    this.#held = undefined;
  }

  /** This promise never rejects. */
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
