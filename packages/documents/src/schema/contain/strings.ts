import { subsumes } from '../format.ts';
import { Kind } from '../node.ts';
import { solveString as searchString } from '../string-solver.ts';
import type { Answer, Context, Facts } from './satisfiability.ts';

const MAX_STATES = 20_000;
/** Longer witnesses would help nobody. */
const MAX_WITNESS = 1_000;

export function solveString(facts: Facts, context: Context): Answer {
  const held = facts.atoms.filter((atom) => atom.op === 'format').map((atom) => atom.format);
  const failing = facts.failing.filter((atom) => atom.op === 'format').map((atom) => atom.format);
  if (held.some((format) => failing.some((wider) => subsumes(wider, format)))) return 'no';

  let minLength = 0;
  let maxLength = Number.POSITIVE_INFINITY;
  for (const atom of facts.atoms) {
    if (atom.op === 'min' && atom.on === Kind.string) minLength = Math.max(minLength, atom.count);
    if (atom.op === 'max' && atom.on === Kind.string) maxLength = Math.min(maxLength, atom.count);
  }
  if (minLength > maxLength) return 'no';
  if (minLength > MAX_WITNESS) return 'unknown';
  const exclude = new Set<string>();
  for (const atom of facts.failing) {
    if (atom.op === 'enum') for (const value of atom.values) if (typeof value === 'string') exclude.add(value);
  }
  for (const sample of held.flatMap((format) => format.samples)) {
    const witness = context.accept(sample);
    if (witness) return witness;
  }
  const budget = { left: MAX_STATES };
  const match = facts.atoms.filter((atom) => atom.op === 'pattern').map((atom) => atom.pattern);
  const avoid = facts.failing.filter((atom) => atom.op === 'pattern').map((atom) => atom.pattern);
  const found = searchString({ match, avoid, minLength, maxLength, exclude, budget: MAX_STATES }, budget);
  context.spend(MAX_STATES - budget.left);
  if (found.kind === 'none') return 'no';
  return (found.kind === 'some' && context.accept(found.witness)) || 'unknown';
}
