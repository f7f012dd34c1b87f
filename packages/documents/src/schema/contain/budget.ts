/** Ends a search that takes too long; its answer is then `unknown`. */
export class BudgetSpent extends Error {}

export class Budget {
  /** The steps that are left. A step looks at a formula or tries a value. */
  left = 0;

  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new BudgetSpent();
  }
}
