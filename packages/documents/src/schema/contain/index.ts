import type { Json } from '../../json/value.ts';
import { createCompiler } from '../evaluate/compile.ts';
import { Run } from '../evaluate/run.ts';
import type { SchemaGraph } from '../graph.ts';
import type { SchemaNode } from '../node.ts';
import { Budget, BudgetSpent } from './budget.ts';
import { createFormulaEvaluator } from './evaluate-formula.ts';
import { createAlgebra } from './formula.ts';
import { isWitness } from './satisfiability.ts';
import { createSchemaToFormula } from './schema-to-formula.ts';
import { createSolver } from './solve.ts';

export type Counterexample =
  /** `no` is proven: `by` accepts every value that `accepted` accepts. */
  { readonly exists: 'no' } | { readonly exists: 'yes'; readonly value: Json } | { readonly exists: 'unknown' };

export interface Comparer {
  /** Looks for a value that all of `accepted` accept and at least one of `by` rejects. */
  findRejected(accepted: readonly SchemaNode[], by: readonly SchemaNode[]): Counterexample;
}

/** Counts the steps of the answers. */
export interface Meter {
  steps: number;
}

/**
 * The limits for one question and for all questions of one comparer: together about a tenth of a second, then
 * "unknown".
 */
export const MAX_STEPS = { question: 100_000, total: 1_000_000 };

/**
 * Decides schema containment over draft 2020-12 (DF-7 to DF-9, DF-21). Nodes come from `graph`. Every witness has been
 * confirmed by the shipped interpreter.
 */
export function createComparer(graph: SchemaGraph, meter: Meter = { steps: 0 }): Comparer {
  const algebra = createAlgebra();
  const toFormula = createSchemaToFormula(algebra, graph);
  const { compile } = createCompiler();
  const budget = new Budget();
  const evaluate = (node: SchemaNode, value: Json): boolean => {
    const run = new Run(budget.left);
    try {
      return compile(node)(value, run);
    } catch {
      throw new BudgetSpent();
    } finally {
      budget.left -= run.steps;
    }
  };
  const solve = createSolver(algebra, createFormulaEvaluator(evaluate, budget), budget);

  return {
    findRejected: (accepted, by) => {
      const given = Math.max(0, Math.min(MAX_STEPS.question, MAX_STEPS.total - meter.steps));
      budget.left = given;
      const confirm = (value: Json) =>
        accepted.every((node) => evaluate(node, value)) && by.some((node) => !evaluate(node, value));
      try {
        const answer = solve([...accepted.map(toFormula), algebra.not(algebra.and(...by.map(toFormula)))]);
        if (answer === 'no') return { exists: 'no' };
        return isWitness(answer) && confirm(answer.value)
          ? { exists: 'yes', value: answer.value }
          : { exists: 'unknown' };
      } catch (error) {
        if (error instanceof BudgetSpent || error instanceof RangeError) return { exists: 'unknown' };
        throw error;
      } finally {
        meter.steps += given - Math.max(0, budget.left);
      }
    },
  };
}
