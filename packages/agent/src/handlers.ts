export type Handler<T> = (value: T) => unknown;

/** What comes before anyone listens waits, but not for ever: an agent without such a handler has no use for it. */
const MAX_HELD = 256;

/** Several, in the order in which they were added; one that fails does not stop the rest (SK-1). */
export class Handlers<T> {
  readonly #onError: (error: unknown) => void;
  #handlers: readonly Handler<T>[] = [];
  #held: (() => void)[] = [];
  #everHeard = false;

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  add(handler: Handler<T>): () => void {
    if (typeof handler !== 'function') throw new TypeError('handler: must be a function');
    // Of its own, so that a function added twice is removed once.
    const own: Handler<T> = (value) => handler(value);
    this.#handlers = [...this.#handlers, own];
    this.#everHeard = true;
    for (const release of this.#held.splice(0)) release();
    return () => {
      this.#handlers = this.#handlers.filter((other) => other !== own);
    };
  }

  /** Resolves when all of them have. Never rejects. */
  async run(value: T): Promise<void> {
    if (!this.#everHeard) await this.#hold();
    for (const handler of this.#handlers) {
      try {
        await handler(value);
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  /** Lets go of what nobody will hear any more. */
  dismiss(): void {
    this.#handlers = [];
    for (const release of this.#held.splice(0)) release();
  }

  #hold(): Promise<void> {
    if (this.#held.length >= MAX_HELD) this.#held.shift()!();
    return new Promise((release) => this.#held.push(release));
  }
}
