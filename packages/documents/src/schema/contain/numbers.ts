import { Kind } from '../node.ts';
import { align, lcm, toDecimal, toNumber } from './decimal.ts';
import type { Answer, Context, Facts } from './satisfiability.ts';

/** Up to this many points of a grid are tried one by one, which is exact; of more, only a sample is tried. */
const MAX_POINTS = 2_000n;

interface End {
  readonly value: number;
  readonly open: boolean;
}

export function solveNumber(facts: Facts, context: Context): Answer {
  let low: End = { value: Number.NEGATIVE_INFINITY, open: false };
  let high: End = { value: Number.POSITIVE_INFINITY, open: false };
  const steps: number[] = [];
  for (const atom of facts.atoms) {
    if (atom.op === 'least' && (atom.value > low.value || (atom.value === low.value && atom.open))) low = atom;
    else if (atom.op === 'most' && (atom.value < high.value || (atom.value === high.value && atom.open))) high = atom;
    else if (atom.op === 'multiple') steps.push(atom.of);
  }
  if (low.value > high.value || (low.value === high.value && (low.open || high.open))) return 'no';
  const avoided = facts.failing.flatMap((atom) => (atom.op === 'multiple' ? [atom.of] : []));
  if ((facts.kinds & Kind.number) === Kind.integer) steps.push(1);
  if ((facts.kinds & Kind.number) === Kind.fraction) avoided.push(1);

  if (low.value === high.value) return context.accept(low.value) ?? 'no';
  if (steps.length > 0) return solveGrid({ low, high, steps, avoided }, context);
  for (const value of interior(low.value, high.value)) {
    const witness = context.accept(value);
    if (witness) return witness;
  }
  return 'unknown';
}

interface Grid {
  readonly low: End;
  readonly high: End;
  readonly steps: readonly number[];
  readonly avoided: readonly number[];
}

/** The values are the multiples of one number, in decimal and therefore exact. */
function solveGrid({ low, high, steps, avoided }: Grid, context: Context): Answer {
  const ends = [low.value, high.value].filter(Number.isFinite);
  const { digits, exponent } = align([...steps, ...avoided, ...ends].map(toDecimal));
  const step = digits.slice(0, steps.length).reduce(lcm);
  const avoid = digits.slice(steps.length, steps.length + avoided.length);
  if (avoid.some((divisor) => step % divisor === 0n)) return 'no';

  const scaled = digits.slice(steps.length + avoided.length);
  const lowest = Number.isFinite(low.value) ? firstIndex(scaled.shift()!, step, low.open) : undefined;
  const highest = Number.isFinite(high.value) ? -firstIndex(-scaled.shift()!, step, high.open) : undefined;
  if (lowest !== undefined && highest !== undefined && lowest > highest) return 'no';

  const finite = lowest !== undefined && highest !== undefined && highest - lowest < MAX_POINTS;
  const start = lowest ?? (highest !== undefined && highest < 0n ? highest - 50n : 0n);
  const end = finite ? highest : start + 50n;
  for (let index = start; index <= end; index++) {
    if (highest !== undefined && index > highest) break;
    const value = toNumber(index * step, exponent);
    // There is no value beyond the largest number.
    const witness = Number.isFinite(value) ? context.accept(value) : undefined;
    if (witness) return witness;
  }
  return finite ? 'no' : 'unknown';
}

/** The least k with k × step ≥ bound (or > it). */
function firstIndex(bound: bigint, step: bigint, open: boolean): bigint {
  const floor = bound / step - (bound % step < 0n ? 1n : 0n);
  return floor * step === bound && !open ? floor : floor + 1n;
}

function interior(low: number, high: number): number[] {
  const near = Number.isFinite(low) ? low : Number.isFinite(high) ? high - 1_000 : 0;
  const far = Number.isFinite(high) ? high : near + 1_000;
  const middle = near / 2 + far / 2;
  const between = [near + 1, far - 1, near + 0.5, far - 0.5, middle, near + (middle - near) / 3];
  return [0, 1, -1, 0.5, 1.5, near, far, ...between].filter(Number.isFinite);
}
