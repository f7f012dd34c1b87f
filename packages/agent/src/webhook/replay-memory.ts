/** Bounds the memory; only the server itself could send as many genuine deliveries. */
const MAX_REMEMBERED = 100_000;

/**
 * Remembers the signed requests of the last minutes, each of which counts once. Anything older is outside the window
 * anyway.
 */
export class ReplayMemory {
  readonly #windowSeconds: number;
  /** Maps each request to the second from which it may be forgotten, oldest first. */
  readonly #until = new Map<string, number>();

  constructor(windowSeconds: number) {
    this.#windowSeconds = windowSeconds;
  }

  isNew(name: string, seconds: number): boolean {
    for (const [old, until] of this.#until) {
      if (until >= seconds && this.#until.size < MAX_REMEMBERED) break;
      this.#until.delete(old);
    }
    if (this.#until.has(name)) return false;
    // A timestamp may lie ahead by one window, and stays good for another.
    this.#until.set(name, seconds + 2 * this.#windowSeconds);
    return true;
  }
}
