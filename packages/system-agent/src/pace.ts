const WINDOW_MS = 60_000;
const MAX_CONVERSATIONS = 10_000;

/** All people share the tool calls that one agent may make in a minute (TC-7): none may use them up for the others. */
export class Pace {
  readonly #used = new Map<string, { start: number; count: number }>();
  readonly #limit: number;
  readonly #now: () => number;

  constructor(limit: number, now: () => number) {
    this.#limit = limit;
    this.#now = now;
  }

  /** Undefined if there is room, otherwise when there will be, in milliseconds. */
  take(conversationId: string): number | undefined {
    const now = this.#now();
    const held = this.#used.get(conversationId);
    if (held === undefined || now - held.start >= WINDOW_MS) {
      this.#used.delete(conversationId);
      if (this.#used.size >= MAX_CONVERSATIONS) this.#used.delete(this.#used.keys().next().value!);
      this.#used.set(conversationId, { start: now, count: 1 });
      return undefined;
    }
    if (held.count >= this.#limit) return held.start + WINDOW_MS - now;
    held.count += 1;
    return undefined;
  }
}
