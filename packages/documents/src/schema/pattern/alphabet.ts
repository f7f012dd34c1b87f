import { Flag, NEWLINE, Op, type Program, rangesOf, WORD } from './program.ts';
import type { StepBudget } from './step-budget.ts';

const SURROGATES = 0xd800;
const AFTER_SURROGATES = 0xe000;
const END = 0x110000;
/** The first code point of the characters that can be shown. */
const PRINTABLE = 0xa1;

/** The characters that a person reads best come first. */
const READABLE: readonly number[] = Array.from(
  'abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-_.:/@ !"#$%&\'()*+,;<=>?[\\]^`{|}~\n\t',
  (char) => char.charCodeAt(0),
);

interface Letter {
  readonly sample: number;
  readonly ranges: (readonly [number, number])[];
}

/** All code points except surrogates, in classes ("letters") whose members no program can distinguish. */
export class Alphabet {
  readonly letters: readonly Letter[];
  readonly #bounds: readonly number[];
  /** The letter of the code points from one bound to the next. */
  readonly #cells: readonly number[];

  constructor(programs: readonly Program[], budget: StepBudget) {
    const sets = collectSets(programs, budget);
    this.#bounds = collectBounds(sets);
    const classes = refine(this.#bounds, sets, budget);
    const letters: Letter[] = [];
    const numbers = new Map<number, number>();
    const add = (cell: number, sample: number) => {
      const kind = classes[cell]!;
      if (!numbers.has(kind)) numbers.set(kind, letters.push({ sample, ranges: [] }) - 1);
    };
    for (const point of READABLE) add(this.#cellOf(point), point);
    const cells = this.#bounds.slice(0, -1).map((low, cell) => ({ cell, low, high: this.#bounds[cell + 1]! - 1 }));
    const real = cells.filter(({ low }) => low < SURROGATES || low >= AFTER_SURROGATES);
    for (const { cell, low, high } of real) if (high >= PRINTABLE) add(cell, Math.max(low, PRINTABLE));
    for (const { cell, low } of real) add(cell, low);
    for (const { cell, low, high } of real) letters[numbers.get(classes[cell]!)!]!.ranges.push([low, high]);
    this.letters = letters;
    this.#cells = Array.from(classes, (kind) => numbers.get(kind) ?? -1);
  }

  letterOf(point: number): number {
    return this.#cells[this.#cellOf(point)]!;
  }

  /** Returns a member of the letter that is not taken; undefined if all are. */
  choose(letter: number, taken: ReadonlyMap<number, unknown>): number | undefined {
    const { sample, ranges } = this.letters[letter]!;
    if (!taken.has(sample)) return sample;
    for (const point of READABLE) if (!taken.has(point) && this.letterOf(point) === letter) return point;
    for (const [low, high] of ranges)
      for (let point = low; point <= high; point += 1) if (!taken.has(point)) return point;
    return undefined;
  }

  #cellOf(point: number): number {
    let low = 0;
    let high = this.#bounds.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#bounds[middle]! <= point) low = middle;
      else high = middle;
    }
    return low;
  }
}

function collectSets(programs: readonly Program[], budget: StepBudget): readonly ArrayLike<number>[] {
  const sets = new Map<unknown, ArrayLike<number>>();
  for (const { inst } of programs) {
    budget.left -= inst.length;
    for (const instruction of inst) {
      const { op, arg, runes } = instruction;
      if (op === Op.assert) {
        if (arg & (Flag.beginLine | Flag.endLine)) sets.set('newline', [NEWLINE, NEWLINE]);
        if (arg & (Flag.wordBoundary | Flag.noWordBoundary)) sets.set('word', WORD);
      } else if (op >= Op.read) {
        const key = runes.length === 1 ? `${runes[0]}/${arg}` : runes;
        if (!sets.has(key)) sets.set(key, rangesOf(instruction));
      }
    }
  }
  return [...sets.values()];
}

function collectBounds(sets: readonly ArrayLike<number>[]): number[] {
  const bounds = new Set([0, SURROGATES, AFTER_SURROGATES, END]);
  for (const set of sets) for (let i = 0; i < set.length; i += 1) bounds.add(i % 2 === 0 ? set[i]! : set[i]! + 1);
  return [...bounds].sort((a, b) => a - b);
}

/** Cells get the same number if every set holds both or neither. */
function refine(bounds: readonly number[], sets: readonly ArrayLike<number>[], budget: StepBudget): Int32Array {
  const classes = new Int32Array(bounds.length - 1);
  const cellAt = new Map(bounds.map((bound, cell) => [bound, cell]));
  let fresh = 1;
  for (const set of sets) {
    if (budget.left < 0) break;
    const inside = new Map<number, number>();
    for (let i = 0; i < set.length; i += 2) {
      const end = cellAt.get(set[i + 1]! + 1)!;
      for (let cell = cellAt.get(set[i]!)!; cell < end; cell += 1) {
        budget.left -= 1;
        const kind = classes[cell]!;
        if (!inside.has(kind)) inside.set(kind, fresh++);
        classes[cell] = inside.get(kind)!;
      }
    }
  }
  return classes;
}
