import type { JsonObject } from '../../json/value.ts';

/** Ends a check at once. Returning `false` would not work: inside `not` it turns into `true`. */
class EvaluationStopped extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const tooComplex = new EvaluationStopped('ARG_TOO_COMPLEX');
const tooDeep = new EvaluationStopped('ARG_TOO_DEEP');

/**
 * The most applicators on the stack: far more than real arguments need (CM-7 bounds a schema at 64), far below an
 * overflow.
 */
const MAX_DEPTH = 512;

/** The number of characters scanned in about the time of one step. */
const CHARACTERS_PER_STEP = 16;

/** The cost of listing and finding one member of a large object. */
const STEPS_PER_MEMBER = 4;

/** A check remembers its answers after this many steps: most end long before, and pay nothing for it. */
const MANY_STEPS = 2_000;

/** Counts the cost of one check (CM-7). */
export class Run {
  steps = 0;
  private depth = 0;
  private readonly maxSteps: number;

  constructor(maxSteps: number) {
    this.maxSteps = maxSteps;
  }

  spend(steps: number): void {
    this.steps += steps;
    if (this.steps > this.maxSteps) {
      this.steps = this.maxSteps + 1;
      throw tooComplex;
    }
  }

  /** Charged before the scan, so that a long text is refused unread. */
  spendOnText(length: number): void {
    if (length >= CHARACTERS_PER_STEP) this.spend(Math.floor(length / CHARACTERS_PER_STEP));
  }

  /** The names of an object's own members, charged as one walk over them. */
  listNames(object: JsonObject): string[] {
    const names = Object.keys(object);
    this.spend(STEPS_PER_MEMBER * names.length);
    return names;
  }

  get isLong(): boolean {
    return this.steps > MANY_STEPS;
  }

  enter(): void {
    this.spend(1);
    if (++this.depth > MAX_DEPTH) throw tooDeep;
  }

  leave(): void {
    this.depth--;
  }
}

/** Returns the code of the limit that was hit; any other error is thrown again. */
export function stopCode(thrown: unknown): string {
  if (thrown instanceof EvaluationStopped) return thrown.code;
  throw thrown;
}
