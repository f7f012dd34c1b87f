import type { Json } from '../../json/value.ts';
import type { Algebra, Atom, Formula } from './formula.ts';

/**
 * Does some value satisfy a goal? `no` is a proof and the only answer that lets a change pass in silence (DF-21); a
 * witness has been checked by evaluation; `unknown` is always safe to give.
 */
export type Answer = 'no' | 'unknown' | Witness;
export interface Witness {
  readonly value: Json;
}

export function isWitness(answer: Answer): answer is Witness {
  return typeof answer === 'object';
}

/** What holds and what fails for one value of one kind, with no alternatives left. */
export interface Facts {
  readonly kinds: number;
  readonly atoms: readonly Atom[];
  readonly failing: readonly Atom[];
}

export interface Context {
  readonly algebra: Algebra;
  /** Is there a part of the wanted value that satisfies all of these? */
  readonly solve: (goal: readonly Formula[]) => Answer;
  /** Takes steps from the budget of the whole comparison. */
  readonly spend: (steps: number) => void;
  readonly holds: (formula: Formula, value: Json) => boolean;
  /** Returns a witness if the value satisfies everything, including clauses; otherwise undefined. */
  readonly accept: (value: Json) => Witness | undefined;
}
