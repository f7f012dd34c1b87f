import { Flag, isWord, NEWLINE, Op, type Program } from './program.ts';
import type { StepBudget } from './step-budget.ts';

/** The state of an automaton whose pattern has been found, whatever follows. */
export const FOUND = -1;

const BEGIN = Flag.beginText | Flag.beginLine;
/** The flags that depend on the next character. */
const AHEAD = Flag.endText | Flag.endLine | Flag.wordBoundary | Flag.noWordBoundary;
/** An extra bit beside the program's flags: the previous character belongs to a word. */
const AFTER_WORD = 64;

interface State {
  /** Instructions that read a character, and assertions that wait for the next one, in ascending order. */
  readonly positions: readonly number[];
  readonly waits: boolean;
  readonly before: number;
  readonly next: number[];
  endsFound?: boolean;
}

/** Searches for one program anywhere in a text, as a deterministic automaton whose states are built on first use. */
export class Automaton {
  readonly #program: Program;
  readonly #budget: StepBudget;
  readonly #states: State[] = [];
  readonly #numbers = new Map<string, number>();
  readonly #stamps: Uint32Array;
  #stamp = 0;

  constructor(program: Program, budget: StepBudget) {
    this.#program = program;
    this.#budget = budget;
    this.#stamps = new Uint32Array(program.inst.length);
  }

  start(): number {
    return this.#enter([this.#program.start], BEGIN);
  }

  /** `point` stands for all members of `letter`. */
  step(number: number, letter: number, point: number): number {
    if (number === FOUND) return FOUND;
    const { next } = this.#states[number]!;
    next[letter] ??= this.#read(this.#states[number]!, point);
    return next[letter];
  }

  isFoundAtEnd(number: number): boolean {
    if (number === FOUND) return true;
    const state = this.#states[number]!;
    state.endsFound ??= state.waits && this.#close(state.positions, flagsAt(state.before, undefined), 0) === undefined;
    return state.endsFound;
  }

  /** True if the pattern can never be found from here on. */
  isLost(number: number): boolean {
    return number !== FOUND && this.#states[number]!.positions.length === 0;
  }

  #read(state: State, point: number): number {
    const positions = state.waits ? this.#close(state.positions, flagsAt(state.before, point), 0) : state.positions;
    if (positions === undefined) return FOUND;
    const reached = [this.#program.start];
    for (const position of positions) {
      const instruction = this.#program.inst[position]!;
      if (instruction.op >= Op.read && instruction.matchRune(point)) reached.push(instruction.out);
    }
    this.#budget.left -= positions.length;
    return this.#enter(reached, (point === NEWLINE ? Flag.beginLine : 0) | (isWord(point) ? AFTER_WORD : 0));
  }

  #enter(reached: readonly number[], before: number): number {
    const positions = this.#close(reached, before & BEGIN, AHEAD);
    if (positions === undefined) return FOUND;
    const waits = positions.some((position) => this.#program.inst[position]!.op === Op.assert);
    const key = waits ? `${positions.join()}/${before}` : positions.join();
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#states.length);
    return this.#states.push({ positions, waits, before, next: [] }) - 1;
  }

  /**
   * Finds what `from` leads to without reading, given the flags that hold here; assertions of flags that are still
   * `open` are kept. Returns undefined if it leads to a match.
   */
  #close(from: readonly number[], flags: number, open: number): number[] | undefined {
    const positions: number[] = [];
    const pending = [...from];
    this.#stamp += 1;
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (this.#stamps[at] === this.#stamp) continue;
      this.#stamps[at] = this.#stamp;
      this.#budget.left -= 1;
      const { op, out, arg } = this.#program.inst[at]!;
      if (op === Op.match) return undefined;
      if (op >= Op.read) positions.push(at);
      else if (op === Op.assert) {
        const missing = arg & ~flags;
        if (missing === 0) pending.push(out);
        else if ((missing & ~open) === 0) positions.push(at);
      } else if (op !== Op.fail) {
        pending.push(out);
        if (op === Op.fork || op === Op.forkMatch) pending.push(arg);
      }
    }
    return positions.sort((a, b) => a - b);
  }
}

/** The flags between the previous character and `point`, or the end of the text. */
function flagsAt(before: number, point: number | undefined): number {
  const changes = (point !== undefined && isWord(point)) !== ((before & AFTER_WORD) !== 0);
  const end = point === undefined ? Flag.endText | Flag.endLine : point === NEWLINE ? Flag.endLine : 0;
  return (before & BEGIN) | end | (changes ? Flag.wordBoundary : Flag.noWordBoundary);
}
