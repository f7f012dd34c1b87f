import { Invariants, NO_WORLD, type World } from './invariants.ts';
import type { Model } from './moves.ts';
import { initialState, keyOf, poolOf, type State } from './state.ts';

export interface Exploration {
  readonly states: number;
  readonly transitions: number;
  /** Of the states, those in which a recovery by someone who did not know of a revocation has undone it. */
  readonly undone: number;
  readonly counterexample?: { readonly invariant: string; readonly steps: readonly string[] };
}

interface Visited {
  readonly state: State;
  readonly from: Visited | undefined;
  readonly label: () => string;
}

/** Visits every state that can be reached in that many steps, each once, those with fewer steps first. */
export function explore(model: Model, depth: number): Exploration {
  const invariants = new Invariants(model);
  const levels: Visited[][] = Array.from({ length: depth + 1 }, () => []);
  const [known, pools] = [new Set<string>(), new Set<string>()];
  const count = { transitions: 0, undone: 0 };

  /** Puts a state in its place, and returns the invariant that does not hold there. */
  const visit = (visited: Visited, step: number, before: World): string | undefined => {
    levels[step]!.push(visited);
    const pool = poolOf(visited.state);
    if (pools.has(pool)) return undefined;
    pools.add(pool);
    const { invariant, isUndone } = invariants.find(visited.state, before);
    if (isUndone) count.undone++;
    return invariant;
  };
  const fail = (invariant: string, at: Visited): Exploration => {
    return { states: known.size, ...count, counterexample: { invariant, steps: stepsTo(at) } };
  };

  const start: Visited = { state: initialState(model.statements), from: undefined, label: () => '' };
  const first = visit(start, 0, NO_WORLD);
  if (first !== undefined) return fail(first, start);
  for (const [step, level] of levels.entries()) {
    for (const visited of level.splice(0)) {
      const key = keyOf(visited.state);
      if (known.has(key)) continue;
      known.add(key);
      if (step === depth) continue;
      const world = invariants.worldOf(visited.state);
      for (const { state, label, cost } of model.moves(visited.state, depth - step)) {
        if (step + cost > depth) continue;
        count.transitions++;
        const next = { state, from: visited, label };
        const invariant = visit(next, step + cost, world);
        if (invariant !== undefined) return fail(invariant, next);
      }
    }
  }
  return { states: known.size, ...count };
}

function stepsTo(visited: Visited): string[] {
  return visited.from === undefined ? [] : [...stepsTo(visited.from), visited.label()];
}
