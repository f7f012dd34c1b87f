import type { JsonObject } from '../../json/value.ts';

/** Ends a check at once. A returned `false` would not do: inside `not` it turns into `true`. */
class Stop extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

const tooComplex = new Stop('ARG_TOO_COMPLEX');
const tooDeep = new Stop('ARG_TOO_DEEP');

/** Levels of applicators on the stack: far beyond real arguments (CM-7 bounds a schema at 64), far below an overflow. */
const MAX_DEPTH = 512;

/** Characters scanned in about the time of one step. */
const CHARACTERS_PER_STEP = 16;

/** Of an object with many members, listing and finding one takes that long. */
const STEPS_PER_MEMBER = 4;

/** From here on a check remembers its answers: most end long before, and pay nothing for it. */
const MANY_STEPS = 2_000;

/** What one check has cost so far (CM-7). */
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

  /** The names of an object's own members, paid for as one walk over them. */
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

/** The code of the bound that was hit; anything else that was thrown goes on. */
export function stopCode(thrown: unknown): string {
  if (thrown instanceof Stop) return thrown.code;
  throw thrown;
}
