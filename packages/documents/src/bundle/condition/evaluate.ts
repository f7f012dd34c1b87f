import { isCelError, plan } from '@bufbuild/cel';
import { displayText } from '../../display-text.ts';
import type { JsonObject } from '../../json/value.ts';
import { bind } from './bind.ts';
import { parseCondition } from './check.ts';
import { meteredEnvironment } from './environment.ts';
import { instrument } from './instrument.ts';
import { BudgetExceeded, Meter } from './meter.ts';

export type ConditionResult =
  | { readonly ok: true; readonly value: boolean }
  | {
      readonly ok: false;
      readonly reason: 'invalid' | 'too_expensive' | 'failed' | 'not_boolean';
      /** It is fit to be shown. */
      readonly detail: string;
    };

/**
 * Evaluates a CEL expression over untrusted values, both of any size, within a bounded number of steps. An expression
 * that fails (a missing field, a text compared with a number) has no value; it never counts as false.
 */
export function evaluateCondition(source: string, variables: JsonObject): ConditionResult {
  const parsed = parseCondition(source, Object.keys(variables));
  if ('problem' in parsed) return refuse('invalid', `${parsed.problem.reason} ${parsed.problem.detail}`);
  instrument(parsed.expression);
  try {
    const meter = new Meter();
    const result = plan(meteredEnvironment(meter), parsed.expression)(bind(variables, meter));
    if (typeof result === 'boolean') return { ok: true, value: result };
    if (!isCelError(result)) return refuse('not_boolean', '');
    return refuse(result.cause instanceof BudgetExceeded ? 'too_expensive' : 'failed', result.message);
  } catch (error) {
    // Planning recurses as deep as the expression nests, and binding as deep as the values do.
    if (error instanceof RangeError) return refuse('too_expensive', 'nesting');
    if (error instanceof BudgetExceeded) return refuse('too_expensive', error.message);
    // The parser accepts some expressions that the planner does not know.
    return refuse('failed', error instanceof Error ? error.message : '');
  }
}

function refuse(reason: Exclude<ConditionResult, { ok: true }>['reason'], detail: string): ConditionResult {
  return { ok: false, reason, detail: displayText(detail) };
}
