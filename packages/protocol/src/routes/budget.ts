import { BUDGET_NAMES, BUDGETS, type BudgetName } from '../budgets.ts';
import { closed } from '../formats.ts';
import * as Type from '../schema/type.ts';

/** A budget of an account with what is used of it (OP-1). */
export const BudgetUse = Type.Object({
  name: Type.Unsafe<BudgetName>(Type.Enum([...BUDGET_NAMES])),
  kind: Type.Union([Type.Literal('rate'), Type.Literal('stored'), Type.Literal('concurrent')]),
  unit: Type.String(),
  used: Type.Integer({ description: 'Of a rate or of what runs at a time: at this moment, on the node that answers.' }),
  limit: Type.Union([Type.Integer(), Type.Null()], { description: 'Null where there is none.' }),
});

/** Nobody can go on with none of it a second; but an account may well be one that has no agents. */
const smallest = (name: BudgetName) => (BUDGETS[name].kind === 'stored' ? 0 : 1);
const largest = 2 ** 43;

/** Those that are left out stay as they are; null goes back to the default. */
export const BudgetChanges = Type.Unsafe<{ readonly [Name in BudgetName]?: number | null }>(
  Type.Object(
    Object.fromEntries(
      BUDGET_NAMES.map((name) => {
        const limit = Type.Integer({ minimum: smallest(name), maximum: largest });
        return [name, Type.Optional(Type.Union([limit, Type.Null()]))];
      }),
    ),
    closed,
  ),
);
