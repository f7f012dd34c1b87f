import { createObservable, type Readable } from '@parley/base';

/** What was done at once, and how to make it undone. */
export interface UndoOffer {
  readonly id: number;
  /** What it is about: of two offers about the same, only the later one can be undone. */
  readonly subject: string;
  /** The outcome, as a sentence. */
  readonly text: string;
  /** Absent where there is nothing to undo, and the outcome is only said. */
  readonly undo?: (() => Promise<unknown>) | undefined;
  /** What is said after it was undone, where not all is as it was before. */
  readonly undone?: string | undefined;
}

const offers = createObservable<readonly UndoOffer[]>([]);
/** More would cover the page. The oldest goes, as it would soon anyway. */
const MAX_SHOWN = 3;
let next = 0;

export const undoOffers: Readable<readonly UndoOffer[]> = offers;

/**
 * Says what was just done, and offers for a few seconds to undo it. It outlives the page that it was done on, and the
 * row that is no longer there because of it.
 */
export function offerUndo(offer: Omit<UndoOffer, 'id'>): void {
  const others = offers.getSnapshot().filter(({ subject }) => subject !== offer.subject);
  offers.set([...others, { ...offer, id: next++ }].slice(-MAX_SHOWN));
}

export function dropOffer(id: number): void {
  offers.set(offers.getSnapshot().filter((offer) => offer.id !== id));
}

/** Nobody is there any more who may undo it. */
export const dropOffers = (): void => offers.set([]);
