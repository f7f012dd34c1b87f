import type { Json } from '../../json/value.ts';
import { Kind } from '../node.ts';
import { solveArray } from './arrays.ts';
import type { Budget } from './budget.ts';
import type { Algebra, Atom, Formula } from './formula.ts';
import { solveNumber } from './numbers.ts';
import { solveObject } from './objects.ts';
import { type Answer, type Context, type Facts, isWitness, type Witness } from './satisfiability.ts';
import { solveString } from './strings.ts';

const MAX_DEPTH = 150;

/**
 * Looks for a value that satisfies all formulas of a goal: a tableau. Alternatives are tried one by one; the rest is a
 * list of facts about one value, which the solver of its kind decides, and which may ask again for the parts of the
 * value. Throws `BudgetSpent`; may be called again with a new budget.
 */
export function createSolver(
  algebra: Algebra,
  holds: (formula: Formula, value: Json) => boolean,
  budget: Budget,
): (goal: readonly Formula[]) => Answer {
  const answers = new Map<string, Answer>();
  const open = new Map<string, number>();
  /**
   * "No" answers that depend on a goal that is still open, in the order they were found, with the outermost such goal.
   */
  const leaning = new Map<string, number>();
  /** The outermost open goal that the current answer depends on. */
  let leanedOn = Number.POSITIVE_INFINITY;
  const spend = (steps: number) => budget.spend(steps);

  const solve = (goal: readonly Formula[]): Answer => {
    spend(1);
    const key = [...new Set(goal.map((formula) => formula.id))].sort((a, b) => a - b).join();
    const known = answers.get(key);
    if (known !== undefined) return known;
    // The value looked for here is part of one that satisfies an open goal. A smallest such value has no part that
    // satisfies the same goal again.
    const leans = open.get(key) ?? leaning.get(key);
    if (leans !== undefined) {
      leanedOn = Math.min(leanedOn, leans);
      return 'no';
    }
    if (open.size >= MAX_DEPTH) return 'unknown';
    const outer = leanedOn;
    const depth = open.size;
    const before = leaning.size;
    leanedOn = Number.POSITIVE_INFINITY;
    open.set(key, depth);
    const answer = search(goal);
    open.delete(key);
    close(key, answer, depth, before);
    leanedOn = Math.min(outer, leanedOn < depth ? leanedOn : Number.POSITIVE_INFINITY);
    return answer;
  };

  /** The answers that depend on a goal are proven with it, passed on to an outer goal, or dropped with it. */
  const close = (key: string, answer: Answer, depth: number, before: number): void => {
    const since = [...leaning.keys()].slice(before);
    if (answer !== 'no') {
      for (const other of since) leaning.delete(other);
      answers.set(key, answer);
    } else if (leanedOn < depth) {
      for (const other of since) leaning.set(other, Math.min(leaning.get(other)!, leanedOn));
      leaning.set(key, leanedOn);
    } else {
      for (const other of since) {
        leaning.delete(other);
        answers.set(other, 'no');
      }
      answers.set(key, 'no');
    }
  };

  const search = (goal: readonly Formula[]): Answer => {
    const accept = (value: Json): Witness | undefined =>
      goal.every((formula) => holds(formula, value)) ? { value } : undefined;
    const context: Context = { algebra, solve, spend, holds, accept };

    const explore = (state: State, added: readonly Formula[]): Answer => {
      if (!assert(state, [...added], algebra)) return 'no';
      spend(1 + state.asserted.size + state.clauses.length);
      // Without the clauses the question is easier: a "no" here avoids all their combinations.
      const relaxed = settle(state, context);
      if (relaxed !== 'unknown' || state.clauses.length === 0) return relaxed;
      const clause = state.clauses.reduce((a, b) => (b.parts.length < a.parts.length ? b : a));
      let answer: Answer = 'no';
      for (const part of clause.parts) {
        const branch = copy(state, clause);
        const found = explore(branch, [part]);
        if (isWitness(found)) return found;
        if (found === 'unknown') answer = 'unknown';
      }
      return answer;
    };
    return explore({ kinds: Kind.any, asserted: new Set(), atoms: [], failing: [], clauses: [] }, goal);
  };

  return (goal) => {
    open.clear();
    leaning.clear();
    leanedOn = Number.POSITIVE_INFINITY;
    return solve(goal);
  };
}

type Clause = Extract<Formula, { op: 'and' | 'or' }>;

interface State {
  kinds: number;
  readonly asserted: Set<number>;
  readonly atoms: Atom[];
  readonly failing: Atom[];
  clauses: Clause[];
}

function copy(state: State, without: Clause): State {
  return {
    kinds: state.kinds,
    asserted: new Set(state.asserted),
    atoms: [...state.atoms],
    failing: [...state.failing],
    clauses: state.clauses.filter((clause) => clause !== without),
  };
}

/** Expands formulas until only facts and clauses are left; returns false if they contradict each other. */
function assert(state: State, queue: Formula[], algebra: Algebra): boolean {
  do {
    for (let formula = queue.pop(); formula !== undefined; formula = queue.pop()) {
      if (!assertOne(state, formula, queue, algebra)) return false;
    }
    if (!thinClauses(state, queue, algebra)) return false;
  } while (queue.length > 0);
  return true;
}

/**
 * Drops clauses that hold and parts that cannot; a clause with one part left is a fact. Returns false if none is left.
 */
function thinClauses(state: State, queue: Formula[], algebra: Algebra): boolean {
  const kept: Clause[] = [];
  for (const clause of state.clauses) {
    const statuses = clause.parts.map((part) => statusOf(part, state, algebra));
    if (statuses.includes(true)) continue;
    const parts = clause.parts.filter((_, index) => statuses[index] === undefined);
    if (parts.length === 0) return false;
    if (parts.length === 1) queue.push(parts[0]!);
    else kept.push(parts.length === clause.parts.length ? clause : { ...clause, parts });
  }
  state.clauses = kept;
  return true;
}

function assertOne(state: State, formula: Formula, queue: Formula[], algebra: Algebra): boolean {
  switch (formula.op) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'and':
      queue.push(...formula.parts);
      return true;
    case 'or':
      state.clauses.push(formula);
      return true;
    case 'kinds':
      state.kinds &= formula.kinds;
      return state.kinds !== 0;
  }
  if (state.asserted.has(formula.id)) return true;
  if (state.asserted.has(algebra.not(formula).id)) return false;
  state.asserted.add(formula.id);
  if (formula.op === 'later') queue.push(formula.holds());
  else if (formula.op !== 'not') state.atoms.push(formula);
  else if (formula.part.op === 'later') queue.push(formula.part.fails());
  else {
    state.failing.push(formula.part);
    state.kinds &= formula.part.on;
    return state.kinds !== 0;
  }
  return true;
}

/** What the facts so far say about a formula: true, false, or nothing. */
function statusOf(formula: Formula, state: State, algebra: Algebra): boolean | undefined {
  switch (formula.op) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'kinds':
      if ((formula.kinds & state.kinds) === 0) return false;
      return (state.kinds & ~formula.kinds) === 0 ? true : undefined;
    case 'and': {
      let all: boolean | undefined = true;
      for (const part of formula.parts) {
        const status = statusOf(part, state, algebra);
        if (status === false) return false;
        if (status === undefined) all = undefined;
      }
      return all;
    }
    case 'or':
      return undefined;
  }
  if (state.asserted.has(formula.id)) return true;
  if (state.asserted.has(algebra.not(formula).id)) return false;
  if (formula.op === 'later') return undefined;
  if (formula.op !== 'not') return (formula.on & state.kinds) === 0 ? true : undefined;
  return formula.part.op !== 'later' && (formula.part.on & state.kinds) === 0 ? false : undefined;
}

function settle(facts: Facts, context: Context): Answer {
  const lists = facts.atoms.filter((atom) => atom.op === 'enum').map((atom) => atom.values);
  if (lists.length > 0) {
    const shortest = lists.reduce((a, b) => (b.length < a.length ? b : a));
    for (const value of shortest) {
      const witness = context.accept(value);
      if (witness) return witness;
    }
    return 'no';
  }
  let answer: Answer = 'no';
  for (const [kinds, solveKind] of SOLVERS) {
    if ((facts.kinds & kinds) === 0) continue;
    const found = solveKind({ ...facts, kinds: facts.kinds & kinds }, context);
    if (isWitness(found)) return found;
    if (found === 'unknown') answer = 'unknown';
  }
  return answer;
}

const SOLVERS: readonly (readonly [number, (facts: Facts, context: Context) => Answer])[] = [
  [Kind.string, solveString],
  [Kind.number, solveNumber],
  [Kind.boolean, (_, context) => context.accept(true) ?? context.accept(false) ?? 'no'],
  [Kind.null, (_, context) => context.accept(null) ?? 'no'],
  [Kind.array, solveArray],
  [Kind.object, solveObject],
];
