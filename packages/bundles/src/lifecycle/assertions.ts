import type { Json, JsonObject } from '@parley/documents';
import { type Bundle, evaluateCondition } from '@parley/documents/bundle';
import type { Plan } from '../plan/plan.ts';

export interface AssertionResult {
  readonly id: string;
  readonly passed: boolean;
  /** `after` if the assertion refers to the workspace. */
  readonly phase: 'before' | 'after';
  /** Why it has no value; empty if it has one. */
  readonly detail: string;
}

const SPEAKS_OF_WORKSPACE = /\bworkspace\b/;

/**
 * Evaluates the assertions (BN-9). Those about the workspace wait for it; one that cannot be evaluated counts as false.
 */
export function checkAssertions(bundle: Bundle, plan: Plan, workspace?: JsonObject): AssertionResult[] {
  const phase = workspace === undefined ? 'before' : 'after';
  const wanted = (bundle.assertions ?? []).filter(({ expr }) => SPEAKS_OF_WORKSPACE.test(expr) === (phase === 'after'));
  const variables: JsonObject = {
    bundle: bundle as unknown as Json,
    plan: describePlan(plan),
    ...(workspace === undefined ? {} : { workspace }),
  };
  return wanted.map(({ id, expr }) => {
    const result = evaluateCondition(expr, variables);
    return {
      id,
      phase,
      passed: result.ok && result.value,
      detail: result.ok ? '' : `${result.reason} ${result.detail}`,
    };
  });
}

/** The value of `plan` in an assertion. */
function describePlan({ bundleId, version, target, scope, operations, missing }: Plan): JsonObject {
  return {
    bundleId,
    version,
    target,
    scope,
    files: operations.map(({ path, action, kind }) => ({ path, action, kind })),
    missing: missing.map(({ code, kit, detail }) => ({ code, kit, detail })),
  };
}

/** The value of `workspace` in an assertion: its files without their contents. */
export function describeWorkspace(
  plan: Plan,
  sizes: ReadonlyMap<string, number>,
  bundles: readonly string[],
): JsonObject {
  return {
    files: plan.files.map(({ path, kind, digest }) => ({ path, kind, digest, size: sizes.get(path) ?? 0 })),
    paths: plan.files.map(({ path }) => path),
    bundles,
  };
}
