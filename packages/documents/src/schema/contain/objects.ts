import type { Json } from '../../json/value.ts';
import { Kind } from '../node.ts';
import type { Pattern } from '../pattern.ts';
import type { Algebra, Atom, AtomOf, Formula } from './formula.ts';
import { type Answer, type Context, type Facts, isWitness } from './satisfiability.ts';

/** Names are distinguished by the patterns they match: more patterns than this make too many combinations. */
const MAX_PATTERNS = 6;
const MAX_WITNESS = 64;

/** Some key must exist that satisfies `key`, with a value that satisfies `value`. */
interface Demand {
  readonly key: readonly Formula[];
  readonly value: readonly Formula[];
}

export function solveObject(facts: Facts, context: Context): Answer {
  const shape = readShape(facts, context);
  const { required, high } = shape;
  if (required.size > high || shape.low > high) return 'no';
  if (high === 0) return context.accept({}) ?? 'no';
  const chosen = new Map<string, Json>();
  let sure = true;
  for (const name of required) {
    if (!shape.allows(name)) return 'no';
    const answer = context.solve(shape.valueOf(name));
    if (answer === 'no') return 'no';
    if (isWitness(answer)) chosen.set(name, answer.value);
    else sure = false;
  }
  for (const demand of shape.demands) {
    const met = meet(demand, shape, context);
    if (met === 'no') return 'no';
    if (met === 'unknown') sure = false;
    else chosen.set(met.key, met.value);
  }
  if (shape.low > required.size && isTooFew(shape, context)) return 'no';
  if (!sure || !fill(chosen, shape, context)) return 'unknown';
  const witness = context.accept(Object.fromEntries(chosen));
  if (witness) return witness;
  return chosen.size === 0 && isTooFew({ ...shape, low: 1 }, context) ? 'no' : 'unknown';
}

interface Shape {
  readonly low: number;
  readonly high: number;
  readonly required: ReadonlySet<string>;
  readonly forbidden: ReadonlySet<string>;
  readonly known: ReadonlySet<string>;
  readonly patterns: readonly Pattern[];
  readonly keyParts: readonly Formula[];
  readonly demands: readonly Demand[];
  readonly allows: (name: string) => boolean;
  /** What the value of a known key must satisfy. */
  readonly valueOf: (name: string) => Formula[];
  /** The same for a key that nothing names, by the patterns it matches. */
  readonly valueMatching: (matched: ReadonlySet<Pattern>) => Formula[];
}

function readShape(facts: Facts, { algebra, holds }: Context): Shape {
  const { properties, matching, others, ...lists } = collect(facts, algebra);
  const { required, forbidden, keyParts } = lists;
  const patterns = new Map<string, Pattern>();
  for (const { pattern } of matching) patterns.set(pattern.source, pattern);
  for (const rest of others) for (const pattern of rest.patterns) patterns.set(pattern.source, pattern);

  /** What applies to the value of a name: by the name itself, by pattern, and as one of all others. */
  const parts = (name: string | undefined, matches: (pattern: Pattern) => boolean): Formula[] => [
    ...((name !== undefined && properties.get(name)) || []),
    ...matching.filter(({ pattern }) => matches(pattern)).map(({ part }) => part),
    ...others
      .filter((rest) => !(name !== undefined && rest.names.has(name)) && !rest.patterns.some(matches))
      .map(({ part }) => part),
  ];
  return {
    ...lists,
    known: new Set([...required, ...forbidden, ...properties.keys(), ...others.flatMap((rest) => [...rest.names])]),
    patterns: [...patterns.values()],
    allows: (name) => !forbidden.has(name) && keyParts.every((part) => holds(part, name)),
    valueOf: (name) => parts(name, (pattern) => pattern.test(name)),
    valueMatching: (matched) => {
      const sources = new Set([...matched].map((pattern) => pattern.source));
      return parts(undefined, (pattern) => sources.has(pattern.source));
    },
  };
}

function collect(facts: Facts, algebra: Algebra) {
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  const required = new Set<string>();
  const forbidden = new Set<string>();
  const properties = new Map<string, Formula[]>();
  const matching: AtomOf<'matching'>[] = [];
  const others: AtomOf<'others'>[] = [];
  const keyParts: Formula[] = [];
  const put = (name: string, part: Formula) => {
    const list = properties.get(name);
    if (list) list.push(part);
    else properties.set(name, [part]);
  };
  for (const atom of facts.atoms) {
    if (atom.op === 'min' && atom.on === Kind.object) low = Math.max(low, atom.count);
    else if (atom.op === 'max' && atom.on === Kind.object) high = Math.min(high, atom.count);
    else if (atom.op === 'has') required.add(atom.name);
    else if (atom.op === 'property') put(atom.name, atom.part);
    else if (atom.op === 'matching') matching.push(atom);
    else if (atom.op === 'names') keyParts.push(atom.part);
    else if (atom.op === 'others') others.push(atom);
  }
  for (const atom of facts.failing) {
    if (atom.op === 'has') forbidden.add(atom.name);
    else if (atom.op === 'property') {
      required.add(atom.name);
      put(atom.name, algebra.not(atom.part));
    }
  }
  const demands = facts.failing.flatMap((atom) => demandOf(atom, algebra) ?? []);
  return { low, high, required, forbidden, properties, matching, others, keyParts, demands };
}

/** If "all names that …" fails, one of them must exist. */
function demandOf(atom: Atom, algebra: Algebra): Demand | undefined {
  switch (atom.op) {
    case 'matching':
      return { key: [algebra.pattern(atom.pattern)], value: [algebra.not(atom.part)] };
    case 'names':
      return { key: [algebra.not(atom.part)], value: [] };
    case 'others': {
      const unmatched = atom.patterns.map((pattern) => algebra.not(algebra.pattern(pattern)));
      return { key: [...unmatched, algebra.not(algebra.oneOf([...atom.names]))], value: [algebra.not(atom.part)] };
    }
    default:
      return undefined;
  }
}

function meet(demand: Demand, shape: Shape, context: Context): 'no' | 'unknown' | { key: string; value: Json } {
  let open = false;
  const full = shape.required.size >= shape.high;
  for (const name of full ? shape.required : shape.known) {
    if (!shape.allows(name) || !demand.key.every((part) => context.holds(part, name))) continue;
    const answer = context.solve([...shape.valueOf(name), ...demand.value]);
    if (isWitness(answer)) return { key: name, value: answer.value };
    if (answer === 'unknown') open = true;
  }
  if (full) return open ? 'unknown' : 'no';
  const fresh = meetFresh(demand, shape, new Set(), context);
  return fresh === 'no' && open ? 'unknown' : fresh;
}

/** Meets the demand with a key that nothing names. */
function meetFresh(
  demand: Demand,
  shape: Shape,
  taken: ReadonlySet<string>,
  context: Context,
): 'no' | 'unknown' | { key: string; value: Json } {
  if (shape.patterns.length > MAX_PATTERNS) return 'unknown';
  const { algebra } = context;
  let open = false;
  for (let bits = 0; bits < 1 << shape.patterns.length; bits++) {
    const matched = new Set(shape.patterns.filter((_, index) => bits & (1 << index)));
    const value = context.solve([...shape.valueMatching(matched), ...demand.value]);
    if (value === 'no') continue;
    const wanted = [
      algebra.kinds(Kind.string),
      ...shape.keyParts,
      ...demand.key,
      ...shape.patterns.map((p) => (matched.has(p) ? algebra.pattern(p) : algebra.not(algebra.pattern(p)))),
      algebra.not(algebra.oneOf([...shape.known, ...taken])),
    ];
    // An empty name is valid too, but a poor example.
    const named = context.solve([...wanted, algebra.min('length', 1)]);
    const key = isWitness(named) ? named : context.solve(wanted);
    if (isWitness(key) && isWitness(value)) return { key: key.value as string, value: value.value };
    if (key !== 'no') open = true;
  }
  return open ? 'unknown' : 'no';
}

const ANY_KEY: Demand = { key: [], value: [] };

/** A closed object may have too few names for its `minProperties`; if none is left, it can only be empty. */
function isTooFew(shape: Shape, context: Context): boolean {
  if (meetFresh(ANY_KEY, shape, new Set(), context) !== 'no') return false;
  let room = 0;
  for (const name of shape.known) {
    if (shape.allows(name) && context.solve(shape.valueOf(name)) !== 'no') room++;
  }
  return room < shape.low;
}

function fill(chosen: Map<string, Json>, shape: Shape, context: Context): boolean {
  if (shape.low > MAX_WITNESS) return false;
  for (const name of shape.known) {
    if (chosen.size >= shape.low) return true;
    if (chosen.has(name) || !shape.allows(name)) continue;
    const answer = context.solve(shape.valueOf(name));
    if (isWitness(answer)) chosen.set(name, answer.value);
  }
  while (chosen.size < shape.low) {
    const more = meetFresh(ANY_KEY, shape, new Set(chosen.keys()), context);
    if (typeof more === 'string') return false;
    chosen.set(more.key, more.value);
  }
  return true;
}
