import { RANGE, STEP } from './environment.ts';
import { bodyOf, type Comprehension, type Expression, partsOf } from './expression.ts';

/** The cost of one iteration besides the parts of its body. */
const TURN = 20;

/**
 * Charges every loop: for its range before it begins, and for each iteration by the size of its body. It changes the
 * given expression and returns the number of its parts.
 */
export function instrument(expression: Expression): number {
  const { exprKind } = expression;
  let parts = 1;
  for (const part of partsOf(expression)) parts += instrument(part);
  if (exprKind.case !== 'comprehensionExpr') return parts;
  const loop: Comprehension = exprKind.value;
  let body = 0;
  for (const part of bodyOf(loop)) body += instrument(part);
  if (loop.iterRange !== undefined) loop.iterRange = call(loop.iterRange, RANGE, [loop.iterRange]);
  if (loop.loopCondition !== undefined) {
    const step = call(loop.loopCondition, STEP, [integer(loop.loopCondition, TURN + body)]);
    loop.loopCondition = call(loop.loopCondition, '_&&_', [step, loop.loopCondition]);
  }
  return parts + body;
}

function call({ id }: Expression, name: string, args: Expression[]): Expression {
  const value = { $typeName: 'cel.expr.Expr.Call', function: name, args } as const;
  return { $typeName: 'cel.expr.Expr', id, exprKind: { case: 'callExpr', value } };
}

function integer({ id }: Expression, amount: number): Expression {
  const constantKind = { case: 'int64Value', value: BigInt(amount) } as const;
  const value = { $typeName: 'cel.expr.Constant', constantKind } as const;
  return { $typeName: 'cel.expr.Expr', id, exprKind: { case: 'constExpr', value } };
}
