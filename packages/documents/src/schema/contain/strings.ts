import { Kind } from '../node.ts';
import { subsumes } from '../format.ts';
import { solveString as searchString } from '../string-solver.ts';
import type { Answer, Context, Facts } from './answer.ts';

const MAX_STATES = 20_000;

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
  const exclude = new Set<string>();
  for (const atom of facts.failing) {
    if (atom.op === 'enum') for (const value of atom.values) if (typeof value === 'string') exclude.add(value);
  }
  for (const sample of held.flatMap((format) => format.samples)) {
    const witness = context.accept(sample);
    if (witness) return witness;
  }
  const found = searchString({
    match: facts.atoms.filter((atom) => atom.op === 'pattern').map((atom) => atom.pattern),
    avoid: facts.failing.filter((atom) => atom.op === 'pattern').map((atom) => atom.pattern),
    minLength,
    maxLength,
    exclude,
    budget: MAX_STATES,
  });
  if (found.kind === 'none') return 'no';
  return (found.kind === 'some' && context.accept(found.witness)) || 'unknown';
}
