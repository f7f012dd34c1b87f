import type { Finding } from '../json/finding.ts';
import type { Json } from '../json/value.ts';
import { createCompiler } from './evaluate/compile.ts';
import { explainFailure } from './evaluate/explain.ts';
import { FindingLimitReached, Report } from './evaluate/report.ts';
import { Run, stopCode } from './evaluate/run.ts';
import type { SchemaNode } from './node.ts';

export interface CheckOptions {
  /** A value that takes more steps is refused with ARG_TOO_COMPLEX. */
  readonly maxSteps?: number;
  readonly maxFindings?: number;
}

export interface CheckResult {
  readonly valid: boolean;
  /** The steps that were taken, at most one more than `maxSteps`. */
  readonly steps: number;
  readonly findings: readonly Finding[];
}

export type Check = (value: Json, options?: CheckOptions) => CheckResult;

/** This is about 50 ms of work on a small machine. */
const MAX_STEPS = 1_000_000;
const MAX_FINDINGS = 100;
const NONE: readonly Finding[] = [];

/** Compiles a schema to a check that ends within its budget for any schema and value (CM-6, CM-7). */
export function compileCheck(root: SchemaNode): Check {
  const compiler = createCompiler();
  const test = compiler.compile(root);
  return (value, options) => {
    if (value === undefined) throw new TypeError('check: value is undefined, which JSON cannot say');
    const run = new Run(options?.maxSteps ?? MAX_STEPS);
    try {
      if (test(value, run)) return { valid: true, steps: run.steps, findings: NONE };
    } catch (thrown) {
      return { valid: false, steps: run.steps, findings: [stopFinding(thrown)] };
    }
    const report = new Report(run, options?.maxFindings ?? MAX_FINDINGS);
    try {
      explainFailure(compiler, run, report)(root, value, '');
    } catch (thrown) {
      // Findings from before the budget ended are still true.
      if (!(thrown instanceof FindingLimitReached) && report.findings.length === 0)
        report.findings.push(stopFinding(thrown));
    }
    return { valid: false, steps: run.steps, findings: report.findings };
  };
}

function stopFinding(thrown: unknown): Finding {
  return { code: stopCode(thrown), severity: 'error', path: '', params: {} };
}
