/** The values that a person filled in. None of them was checked. */
export type Values = Readonly<Record<string, string | boolean>>;
export type Resume = (action: string, values: Values) => Promise<void>;

interface Open {
  readonly conversationId: string;
  readonly resume: Resume;
}

const MAX_OF_ONE = 8;
const MAX_OF_ALL = 1_000;

/**
 * Cards that wait for an answer. Each accepts one, in the conversation it was sent to. They are held in memory only: a
 * restart loses a question, never something that was done.
 */
export class OpenCards {
  readonly #open = new Map<string, Open>();

  add(artifactId: string, card: Open): void {
    const own = [...this.#open].filter(([, { conversationId }]) => conversationId === card.conversationId);
    const dropped = own.length >= MAX_OF_ONE ? own[0]![0] : undefined;
    const oldest = this.#open.size >= MAX_OF_ALL ? this.#open.keys().next().value : undefined;
    const gone = dropped ?? oldest;
    if (gone !== undefined) this.#open.delete(gone);
    this.#open.set(artifactId, card);
  }

  take(artifactId: string, conversationId: string): Resume | undefined {
    const card = this.#open.get(artifactId);
    if (card?.conversationId !== conversationId) return undefined;
    this.#open.delete(artifactId);
    return card.resume;
  }

  /** Closes all cards of one conversation. */
  close(conversationId: string): void {
    for (const [id, card] of this.#open) if (card.conversationId === conversationId) this.#open.delete(id);
  }
}
