import type { Json } from '../../json/value.ts';
import { Kind } from '../node.ts';
import type { Formula } from './formula.ts';
import { type Answer, type Context, type Facts, isWitness } from './satisfiability.ts';

/** Longer witnesses are not built. */
const MAX_WITNESS = 64;

interface Demand {
  readonly from: number;
  readonly count: number;
  readonly part: Formula;
}

interface Shape {
  /** All positions from this index on are alike. */
  readonly uniform: number;
  readonly low: number;
  high: number;
  readonly at: (index: number) => readonly Formula[];
  readonly demands: readonly Demand[];
  readonly few: readonly { readonly count: number; readonly part: Formula }[];
}

export function solveArray(facts: Facts, context: Context): Answer {
  const shape = readShape(facts, context);
  const possible = (index: number, ...more: Formula[]) => context.solve([...shape.at(index), ...more]) !== 'no';

  for (let index = 0; index <= Math.min(shape.uniform, shape.high - 1); index++) {
    if (!possible(index)) shape.high = index;
  }
  if (shape.low > shape.high) return 'no';
  if (shape.high === 0) return context.accept([]) ?? 'no';
  for (const demand of shape.demands) {
    let room = 0;
    for (let index = demand.from; index < Math.min(shape.uniform, shape.high) && room < demand.count; index++) {
      if (possible(index, demand.part)) room++;
    }
    const start = Math.max(shape.uniform, demand.from);
    if (room < demand.count && shape.high > start && possible(start, demand.part)) room += shape.high - start;
    if (room < demand.count) return 'no';
  }
  for (const { count, part } of shape.few) {
    if (isForcedBeyond(count, part, shape, context)) return 'no';
  }
  const paired = facts.failing.some((atom) => atom.op === 'unique');
  if (paired && !canRepeat(shape, possible)) return 'no';
  const unique = facts.atoms.some((atom) => atom.op === 'unique');
  return buildArray(shape, { unique, paired }, context);
}

function readShape(facts: Facts, { algebra }: Context): Shape {
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  const single = new Map<number, Formula[]>();
  const every: { from: number; part: Formula }[] = [];
  const demands: Demand[] = [];
  const few: { count: number; part: Formula }[] = [];
  const put = (index: number, part: Formula) => single.set(index, [...(single.get(index) ?? []), part]);

  for (const atom of facts.atoms) {
    if (atom.op === 'min' && atom.on === Kind.array) low = Math.max(low, atom.count);
    else if (atom.op === 'max' && atom.on === Kind.array) high = Math.min(high, atom.count);
    else if (atom.op === 'item') put(atom.index, atom.part);
    else if (atom.op === 'items') every.push(atom);
    else if (atom.op === 'some') demands.push({ from: 0, count: atom.count, part: atom.part });
    else if (atom.op === 'few') few.push(atom);
  }
  for (const atom of facts.failing) {
    if (atom.op === 'item') {
      low = Math.max(low, atom.index + 1);
      put(atom.index, algebra.not(atom.part));
    } else if (atom.op === 'items') demands.push({ from: atom.from, count: 1, part: algebra.not(atom.part) });
  }
  const uniform = Math.max(0, ...[...single.keys()].map((index) => index + 1), ...every.map(({ from }) => from));
  const at = (index: number) => [
    ...(single.get(index) ?? []),
    ...every.filter(({ from }) => from <= index).map(({ part }) => part),
  ];
  return { uniform, low, high, at, demands, few };
}

/** Must more items satisfy `part` than are allowed to? */
function isForcedBeyond(count: number, part: Formula, shape: Shape, context: Context): boolean {
  const otherwise = context.algebra.not(part);
  const forced = (index: number) => context.solve([...shape.at(index), otherwise]) === 'no';
  let sure = 0;
  for (let index = 0; index < Math.min(shape.uniform, shape.low); index++) if (forced(index)) sure++;
  if (shape.low > shape.uniform && forced(shape.uniform)) sure += shape.low - shape.uniform;
  if (sure > count) return true;
  return shape.demands.some((demand) => demand.count > count && context.solve([demand.part, otherwise]) === 'no');
}

function canRepeat(shape: Shape, possible: (index: number, ...more: Formula[]) => boolean): boolean {
  if (shape.high < 2) return false;
  const last = Math.min(shape.uniform, 8) + 1;
  if (shape.uniform > 8) return true;
  for (let a = 0; a <= last; a++) {
    for (let b = a + 1; b <= last && b < shape.high; b++) if (possible(a, ...shape.at(b))) return true;
  }
  return false;
}

function buildArray(shape: Shape, want: { unique: boolean; paired: boolean }, context: Context): Answer {
  const extra = new Map<number, Formula[]>();
  const goal = (index: number) => [...shape.at(index), ...(extra.get(index) ?? [])];
  const limit = Math.min(shape.high, MAX_WITNESS);
  let length = shape.low;
  for (const demand of shape.demands) {
    let left = demand.count;
    for (let index = demand.from; index < limit && left > 0; index++) {
      if (!isWitness(context.solve([...goal(index), demand.part]))) continue;
      extra.set(index, [...(extra.get(index) ?? []), demand.part]);
      length = Math.max(length, index + 1);
      left--;
    }
    if (left > 0) return 'unknown';
  }
  if (want.paired) length = Math.max(length, 2);
  if (length > MAX_WITNESS) return 'unknown';

  const items: Json[] = [];
  for (let index = 0; index < length; index++) {
    const sparing = shape.few.map(({ part }) => context.algebra.not(part));
    const distinct = want.unique && items.length > 0 ? [context.algebra.not(context.algebra.oneOf(items))] : [];
    const same = want.paired && index === length - 1 ? [context.algebra.oneOf(items)] : [];
    const found = [[...sparing, ...distinct, ...same], [...distinct, ...same], same, []]
      .map((more) => () => context.solve([...goal(index), ...more]))
      .reduce<Answer>((answer, attempt) => (isWitness(answer) ? answer : attempt()), 'unknown');
    if (!isWitness(found)) return 'unknown';
    items.push(found.value);
  }
  return context.accept(items) ?? 'unknown';
}
