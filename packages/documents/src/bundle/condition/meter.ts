import { type CelValue, isCelList, isCelMap } from '@bufbuild/cel';

/**
 * The step limit of one evaluation (BN-11). A step is a call, an iteration, or one element or character that a call
 * reads.
 */
const MAX_STEPS = 1_000_000;
/** The most characters, bytes or list elements that an expression may build. */
const MAX_SIZE = 65_536;

/** Searching a text for another can take the product of their lengths: 160 ms for 50,000 and 25,000 characters. */
const SEARCHED_PER_STEP = 4_096;

/** It is thrown, because `||` would ignore an error that is returned; the evaluator passes it on. */
export class BudgetExceeded extends Error {}

export class Meter {
  #left = MAX_STEPS;

  spend(steps: number): void {
    this.#left -= steps;
    if (!(this.#left >= 0)) throw new BudgetExceeded('the expression takes too many steps');
  }

  /** Charges a call of `name` before it is made. */
  spendCall(name: string, values: readonly CelValue[]): void {
    this.spend(1);
    if (name === '_==_' || name === '_!=_') this.#spendComparison(values[0]!, values[1]!);
    else if (name === '@in' && isCelList(values[1])) {
      for (const item of values[1]) this.#spendComparison(values[0]!, item);
    } else for (const value of values) this.spend(name === 'size' && typeof value === 'object' ? 1 : sizeOf(value));
    if (name === '_+_') this.#checkSize(values);
    if (name === 'contains') this.spend((sizeOf(values[0]!) * sizeOf(values[1] ?? '')) / SEARCHED_PER_STEP);
  }

  #checkSize(values: readonly CelValue[]): void {
    let size = 0;
    for (const value of values) size += sizeOf(value);
    if (size > MAX_SIZE) throw new BudgetExceeded('the expression builds too large a value');
  }

  /** Charges the most that a comparison can visit; shared parts are counted as often as they are visited. */
  #spendComparison(left: CelValue, right: CelValue): void {
    this.spend(1);
    if (isCelList(left) && isCelList(right)) {
      if (left.size !== right.size) return;
      for (let index = 0; index < left.size; index++) {
        this.#spendComparison(left.get(index)!, right.get(index)!);
      }
    } else if (isCelMap(left) && isCelMap(right)) {
      if (left.size !== right.size) return;
      for (const [key, value] of left) {
        const other = right.get(key);
        if (other !== undefined) this.#spendComparison(value as CelValue, other as CelValue);
      }
    } else this.spend(Math.min(sizeOf(left), sizeOf(right)));
  }
}

export function sizeOf(value: CelValue): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  return isCelList(value) || isCelMap(value) ? value.size : 1;
}
