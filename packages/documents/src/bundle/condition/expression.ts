import type { parse } from '@bufbuild/cel';

/** A parsed expression, with its macros expanded to comprehensions. */
export type Expression = ReturnType<typeof parse>['expr'];
export type Comprehension = Extract<Expression['exprKind'], { case: 'comprehensionExpr' }>['value'];

/**
 * The parts that are evaluated in the scope of the expression itself; of a comprehension only the range and the start.
 */
export function partsOf({ exprKind }: Expression): Expression[] {
  switch (exprKind.case) {
    case 'selectExpr':
      return present(exprKind.value.operand);
    case 'callExpr':
      return [...present(exprKind.value.target), ...exprKind.value.args];
    case 'listExpr':
      return exprKind.value.elements;
    case 'structExpr':
      return exprKind.value.entries.flatMap(({ keyKind, value }) => [
        ...(keyKind.case === 'mapKey' ? [keyKind.value] : []),
        ...present(value),
      ]);
    case 'comprehensionExpr':
      return present(exprKind.value.iterRange, exprKind.value.accuInit);
    default:
      return [];
  }
}

/** The parts that see the variables of a comprehension. */
export function bodyOf({ loopCondition, loopStep, result }: Comprehension): Expression[] {
  return present(loopCondition, loopStep, result);
}

function present(...parts: (Expression | undefined)[]): Expression[] {
  return parts.filter((part) => part !== undefined);
}
