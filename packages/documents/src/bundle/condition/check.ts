import { parse } from '@bufbuild/cel';
import { displayText } from '../../display-text.ts';
import { plainEnvironment } from './environment.ts';
import { bodyOf, type Expression, partsOf } from './expression.ts';

const MAX_LENGTH = 2_000;
const MAX_NODES = 2_000;

/** The variables that a handoff's condition may use (BN-6), and those of an assertion (BN-9). */
export const EDGE_VARIABLES = ['output', 'task', 'state'] as const;
export const ASSERTION_VARIABLES = ['bundle', 'plan', 'workspace'] as const;

export interface ConditionProblem {
  readonly reason: 'too_long' | 'syntax' | 'unknown_name' | 'unknown_function' | 'unsupported' | 'not_boolean';
  /** The unknown name, or the parser's message. It is fit to be shown. */
  readonly detail: string;
}

export type ParsedCondition = { readonly expression: Expression } | { readonly problem: ConditionProblem };

const TYPE_NAMES = new Set('bool bytes double int list map null_type string type uint'.split(' '));
/** Operators that the evaluator implements without a function. */
const BUILT_IN = new Set(['_[_]', '_?_:_', '_&&_', '_||_', '@not_strictly_false']);
const NEVER_BOOLEAN = new Set(['_+_', '_-_', '_*_', '_/_', '_%_', '-_', 'size', 'int', 'uint', 'double', 'string']);

/** Finds what is wrong with a CEL expression that should return a boolean over `variables`; undefined if nothing is. */
export function checkCondition(source: string, variables: readonly string[]): ConditionProblem | undefined {
  if (source.length > MAX_LENGTH) return refuse('too_long', String(MAX_LENGTH)).problem;
  // A bundle is read several times, and parsing expressions is the slowest part of it.
  const key = `${variables.join()} ${source}`;
  const known = verdicts.get(key);
  if (known !== undefined) return known.problem;
  const parsed = parseCondition(source, variables);
  const problem = 'problem' in parsed ? parsed.problem : undefined;
  if (verdicts.size >= MAX_VERDICTS) verdicts.clear();
  verdicts.set(key, { problem });
  return problem;
}

const MAX_VERDICTS = 500;
const verdicts = new Map<string, { readonly problem: ConditionProblem | undefined }>();

export function parseCondition(source: string, variables: readonly string[]): ParsedCondition {
  if (source.length > MAX_LENGTH) return refuse('too_long', String(MAX_LENGTH));
  try {
    const { expr: expression } = parse(source);
    const problem = new Inspection().run(expression, variables);
    return problem === undefined ? { expression } : { problem };
  } catch (error) {
    // A parser that recurses too deep throws a RangeError, which means that it cannot read the expression.
    return refuse('syntax', error instanceof RangeError ? 'nesting' : messageOf(error));
  }
}

function refuse(reason: ConditionProblem['reason'], detail: string): { problem: ConditionProblem } {
  return { problem: { reason, detail: displayText(detail) } };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/^<input>:/, '') : '';
}

class Inspection {
  #nodes = 0;
  #problem: ConditionProblem | undefined;

  run(root: Expression, variables: readonly string[]): ConditionProblem | undefined {
    if (isNeverBoolean(root)) this.#report('not_boolean', '');
    this.#visit(root, new Set(variables));
    return this.#problem;
  }

  #report(reason: ConditionProblem['reason'], detail: string): void {
    this.#problem ??= refuse(reason, detail).problem;
  }

  #visit(expression: Expression, names: ReadonlySet<string>): void {
    if (++this.#nodes > MAX_NODES) this.#report('too_long', String(MAX_NODES));
    if (this.#problem !== undefined) return;
    const { exprKind } = expression;
    if (exprKind.case === 'identExpr') this.#checkName(exprKind.value.name, names);
    if (exprKind.case === 'callExpr') this.#checkFunction(exprKind.value.function);
    if (exprKind.case === 'structExpr' && exprKind.value.messageName !== '') {
      this.#report('unsupported', exprKind.value.messageName);
    }
    for (const part of partsOf(expression)) this.#visit(part, names);
    if (exprKind.case !== 'comprehensionExpr') return;
    const inner = new Set([...names, exprKind.value.iterVar, exprKind.value.accuVar]);
    for (const part of bodyOf(exprKind.value)) this.#visit(part, inner);
  }

  #checkName(name: string, names: ReadonlySet<string>): void {
    if (!names.has(name) && !TYPE_NAMES.has(name)) this.#report('unknown_name', name);
  }

  #checkFunction(name: string): void {
    if (BUILT_IN.has(name) || plainEnvironment().funcs.find(name) !== undefined) return;
    this.#report('unknown_function', name);
  }
}

function isNeverBoolean({ exprKind }: Expression): boolean {
  if (exprKind.case === 'constExpr') return exprKind.value.constantKind.case !== 'boolValue';
  if (exprKind.case === 'callExpr') return NEVER_BOOLEAN.has(exprKind.value.function);
  return exprKind.case === 'listExpr' || exprKind.case === 'structExpr';
}
