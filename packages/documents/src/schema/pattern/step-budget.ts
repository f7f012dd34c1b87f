/** The steps that are left. Below zero the work stops soon, without an answer. */
export interface StepBudget {
  left: number;
}
