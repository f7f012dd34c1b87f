import type { Json } from '../../json/value.ts';
import type { SchemaGraph } from '../graph.ts';
import type { SchemaNode } from '../node.ts';
import { isWitness } from './answer.ts';
import { createAlgebra } from './formula.ts';
import { createHolds } from './holds.ts';
import { createLower } from './lower.ts';
import { createSolver } from './solve.ts';

export type Counterexample =
  /** Proven: whatever `accepted` lets pass, `by` lets pass too. */
  { readonly exists: 'no' } | { readonly exists: 'yes'; readonly value: Json } | { readonly exists: 'unknown' };

export interface Comparer {
  /** Looks for a value that all of `accepted` accept and at least one of `by` rejects. */
  findRejected(accepted: readonly SchemaNode[], by: readonly SchemaNode[]): Counterexample;
}

const MAX_STEPS = 200_000;

/**
 * Schema containment over draft 2020-12 (DF-7 to DF-9, DF-21). Nodes come from `graph`. `evaluate` is the shipped
 * interpreter: no witness is given that it does not confirm.
 */
export function createComparer(
  graph: SchemaGraph,
  evaluate: (node: SchemaNode, value: Json) => boolean,
  maxSteps = MAX_STEPS,
): Comparer {
  const algebra = createAlgebra();
  const lower = createLower(algebra, graph);
  const budget = { left: 0 };
  const solve = createSolver(algebra, createHolds(evaluate), budget);

  return {
    findRejected: (accepted, by) => {
      budget.left = maxSteps;
      const answer = solve([...accepted.map(lower), algebra.not(algebra.and(...by.map(lower)))]);
      if (answer === 'no') return { exists: 'no' };
      if (!isWitness(answer)) return { exists: 'unknown' };
      const confirmed =
        accepted.every((node) => evaluate(node, answer.value)) && by.some((node) => !evaluate(node, answer.value));
      return confirmed ? { exists: 'yes', value: answer.value } : { exists: 'unknown' };
    },
  };
}
