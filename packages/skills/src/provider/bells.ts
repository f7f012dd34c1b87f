/** Those who wait for something to end. */
export class Bells {
  readonly #waiting = new Map<string, Set<() => void>>();

  ring(id: string): void {
    for (const wake of this.#waiting.get(id) ?? []) wake();
  }

  /** Until it rings, or the time is over. */
  wait(id: string, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(id) ?? new Set();
      this.#waiting.set(id, waiting);
      const wake = () => {
        clearTimeout(timer);
        waiting.delete(wake);
        if (waiting.size === 0 && this.#waiting.get(id) === waiting) this.#waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(wake, ms);
      waiting.add(wake);
    });
  }
}
