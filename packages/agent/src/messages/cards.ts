import { type Card, MAX_REVISION } from '@parley/protocol';

/** Beyond this number, the oldest cards are forgotten. */
const MAX_REMEMBERED = 1_000;

/** Changes to a card; fields that are left out stay as they were. */
export type CardChanges = Partial<Omit<Card, 'artifact_id'>>;

/** Remembers the cards that this process sent last, so that an update only names what changed. */
export class Cards {
  readonly #sent = new Map<string, Card>();

  /** Returns an undo function, for a card that turns out to be invalid. */
  remember(conversationId: string, card: Card): () => void {
    const key = `${conversationId}/${card.artifact_id}`;
    const before = this.#sent.get(key);
    this.#sent.delete(key);
    this.#sent.set(key, card);
    if (this.#sent.size > MAX_REMEMBERED) this.#sent.delete(this.#sent.keys().next().value!);
    return () => {
      if (this.#sent.get(key) !== card) return;
      if (before === undefined) this.#sent.delete(key);
      else this.#sent.set(key, before);
    };
  }

  /** The next revision (TC-10). */
  revise(conversationId: string, artifactId: string, changes: CardChanges): Card {
    const last = this.#sent.get(`${conversationId}/${artifactId}`);
    const subtype = changes.subtype ?? last?.subtype;
    const revision = changes.revision ?? (last === undefined ? undefined : (last.revision ?? 1) + 1);
    if (subtype === undefined || revision === undefined) {
      throw new TypeError('changes: of a card sent by another process, subtype, blocks and revision must be given');
    }
    if (last !== undefined && subtype !== last.subtype) throw new TypeError('changes.subtype: never changes (TC-1)');
    if (revision <= (last?.revision ?? 1)) throw new TypeError('changes.revision: must rise');
    if (revision > MAX_REVISION) throw new TypeError(`changes.revision: at most ${MAX_REVISION}; send a new card`);
    return { blocks: [], ...last, ...changes, subtype, artifact_id: artifactId, revision };
  }
}
