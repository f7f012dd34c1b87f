import { isUnderstood } from './pattern/program.ts';
import { searchString } from './pattern/search.ts';
import type { StepBudget } from './pattern/step-budget.ts';
import type { Pattern } from './pattern.ts';

export interface StringGoal {
  /** All of these must be found in the string. */
  readonly match: readonly Pattern[];
  /** None of these may be found in it. */
  readonly avoid: readonly Pattern[];
  /** Lengths are in code points. */
  readonly minLength: number;
  readonly maxLength: number;
  /** The string must be none of these. */
  readonly exclude: ReadonlySet<string>;
  /** The most steps. A step visits an instruction of a pattern or tries a character. */
  readonly budget: number;
}

export type StringAnswer =
  | { readonly kind: 'none' }
  | { readonly kind: 'some'; readonly witness: string }
  | { readonly kind: 'unknown' };

/**
 * Is there a string that satisfies the goal? The witness is a shortest one. `none` is proven: every string without lone
 * surrogates was tried, as far as the patterns can distinguish strings. `budget` shows what is left.
 */
export function solveString(goal: StringGoal, budget: StepBudget = { left: goal.budget }): StringAnswer {
  const match = distinct(goal.match);
  const avoid = distinct(goal.avoid);
  const unwanted = new Set(avoid.map(({ source }) => source));
  if (goal.minLength > goal.maxLength || match.some(({ source }) => unwanted.has(source))) return { kind: 'none' };
  if (match.length + avoid.length === 0 && goal.minLength <= budget.left) {
    const witness = 'a'.repeat(goal.minLength);
    if (!goal.exclude.has(witness)) return { kind: 'some', witness };
  }
  const programs = { match: match.map(({ program }) => program), avoid: avoid.map(({ program }) => program) };
  if (![...programs.match, ...programs.avoid].every(isUnderstood)) return { kind: 'unknown' };
  const witness = searchString({ ...goal, ...programs }, budget);
  if (witness === null) return { kind: 'none' };
  return witness !== undefined && satisfies(witness, goal) ? { kind: 'some', witness } : { kind: 'unknown' };
}

function distinct(patterns: readonly Pattern[]): Pattern[] {
  return [...new Map(patterns.map((pattern) => [pattern.source, pattern])).values()];
}

/** Asks RE2 itself: a mistake in the search must not become a witness. */
function satisfies(text: string, { match, avoid, minLength, maxLength, exclude }: StringGoal): boolean {
  const length = [...text].length;
  if (length < minLength || length > maxLength || exclude.has(text)) return false;
  return match.every((pattern) => pattern.test(text)) && !avoid.some((pattern) => pattern.test(text));
}
