import { join } from '../../json/pointer.ts';
import { isObject, type Json } from '../../json/value.ts';
import { Kind, kindOf, type SchemaNode } from '../node.ts';
import type { Compiler } from './compile.ts';
import { EvaluatedMembers, listMembers } from './evaluated-members.ts';
import { type ExplainContext, explainArray, explainObject, explainUnknown } from './explain-members.ts';
import { explainNumber, explainText, explainType } from './explain-scalar.ts';
import type { Report } from './report.ts';
import type { Run } from './run.ts';

/** Explains why a value failed its check: a second walk, so that the first need not keep records. */
export function explainFailure(compiler: Compiler, run: Run, report: Report): ExplainContext['explain'] {
  let explained: Map<SchemaNode, Set<string>> | undefined;
  /** The same node and path would give the same findings again. */
  const isNews = (node: SchemaNode, path: string): boolean => {
    explained ??= new Map();
    const paths = explained.get(node) ?? new Set();
    if (paths.has(path)) return false;
    explained.set(node, paths.add(path));
    return true;
  };
  const explain: ExplainContext['explain'] = (node, value, path) => {
    run.enter();
    if (run.isLong && !isNews(node, path)) {
      run.leave();
      return;
    }
    if (explainType(node, value, path, report, run)) {
      explainKeywords(node, value, path, context);
      explainInPlace(node, value, path, context);
      explainUnevaluated(node, value, path);
    }
    run.leave();
  };
  const context: ExplainContext = { compile: compiler.compile, run, report, explain };

  /**
   * Runs only if everything else holds: a branch that failed marks nothing, and each member it knows would seem
   * unknown.
   */
  const explainUnevaluated = (node: SchemaNode, value: Json, path: string): void => {
    const child = Array.isArray(value) ? node.unevaluatedItems : node.unevaluatedProperties;
    if (child === undefined || typeof value !== 'object' || value === null) return;
    const members = listMembers(value, run);
    const marks = new EvaluatedMembers(members.length);
    if (!compiler.compileBase(node)(value, run, marks)) return;
    const names = isObject(value) ? run.listNames(value) : undefined;
    for (const [place, member] of members.entries()) {
      if (marks.has(place)) continue;
      if (names === undefined) explain(child, member, join(path, place));
      else explainUnknown(child, node, member, join(path, names[place]!), context);
    }
  };
  return explain;
}

function explainKeywords(node: SchemaNode, value: Json, path: string, context: ExplainContext): void {
  if (typeof value === 'number') explainNumber(node, value, path, context.report);
  else if (typeof value === 'string') explainText(node, value, path, context.report, context.run);
  else if (isObject(value)) explainObject(node, value, path, context);
  else if (Array.isArray(value)) explainArray(node, value, path, context);
}

function explainInPlace(node: SchemaNode, value: Json, path: string, context: ExplainContext): void {
  const { compile, run, report, explain } = context;
  if (node.ref !== undefined) explain(node.ref.target, value, path);
  for (const child of node.allOf ?? []) explain(child, value, path);
  if (node.anyOf !== undefined) {
    run.spend(node.anyOf.length);
    const matched = node.anyOf.some((branch) => compile(branch)(value, run));
    if (!matched && !explainOnlyCandidate(node.anyOf, value, path, context)) report.add('ARG_NO_ALTERNATIVE', path);
  }
  if (node.oneOf !== undefined) {
    run.spend(node.oneOf.length);
    const matched = node.oneOf.filter((branch) => compile(branch)(value, run)).length;
    if (matched > 1 || (matched === 0 && !explainOnlyCandidate(node.oneOf, value, path, context))) {
      report.add('ARG_NOT_ONE', path, { matched });
    }
  }
  if (node.not !== undefined && compile(node.not)(value, run)) report.add('ARG_FORBIDDEN', path);
  if (node.if !== undefined) {
    const next = compile(node.if)(value, run) ? node.then : node.else;
    if (next !== undefined) explain(next, value, path);
  }
  for (const [name, child] of node.dependentSchemas ?? []) {
    run.spend(1);
    if (isObject(value) && Object.hasOwn(value, name)) explain(child, value, path);
  }
}

/** If the value can only be meant for one branch ("a text or null"), the findings of that branch help more. */
function explainOnlyCandidate(
  branches: readonly SchemaNode[],
  value: Json,
  path: string,
  context: ExplainContext,
): boolean {
  const candidates = branches.filter((branch) => isCandidate(branch, value, context));
  if (candidates.length !== 1) return false;
  context.explain(candidates[0]!, value, path);
  return true;
}

/** True if the value has the right type and, as in tagged unions, the right constants in its properties. */
function isCandidate(branch: SchemaNode, value: Json, { compile, run }: ExplainContext): boolean {
  if (((branch.kinds ?? Kind.any) & kindOf(value)) === 0) return false;
  if (!isObject(value)) return true;
  for (const [name, child] of branch.properties ?? []) {
    run.spend(1);
    if (child.enum !== undefined && Object.hasOwn(value, name) && !compile(child)(value[name]!, run)) return false;
  }
  return true;
}
