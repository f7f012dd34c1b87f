/** Ends a search that takes too long; its answer is then `unknown`. */
export class BudgetSpent extends Error {}

export class Budget {
  /** Steps that may still be taken: formulas looked at, values tried. */
  left = 0;

  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new BudgetSpent();
  }
}
