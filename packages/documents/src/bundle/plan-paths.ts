import { findPathProblem, foldPath } from './path.ts';

export type PlanPathProblem =
  | { readonly code: 'PLAN_PATH_UNSAFE'; readonly params: { readonly target: string } }
  | { readonly code: 'PLAN_COLLISION'; readonly params: { readonly target: string; readonly other: string } };

/** Finds paths that a plan must not write (BV-5): unsafe ones, and two that are the same file on some systems. */
export function findPlanPathProblems(paths: readonly string[]): PlanPathProblem[] {
  const problems: PlanPathProblem[] = [];
  const seen = new Map<string, string>();
  for (const target of paths) {
    if (findPathProblem(target) !== undefined) problems.push({ code: 'PLAN_PATH_UNSAFE', params: { target } });
    const key = foldPath(target);
    const other = seen.get(key);
    if (other === undefined) seen.set(key, target);
    else problems.push({ code: 'PLAN_COLLISION', params: { target, other } });
  }
  return problems;
}
