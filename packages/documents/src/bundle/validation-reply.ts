import type { BundleFinding } from './finding.ts';
import type { BundleValidation } from './validate.ts';

/** Converts a finding to the names of the protocol (9.2), for routes and for `--json`. */
export function toFindingReply({ code, path, message, level }: BundleFinding) {
  return { code, path, message, level };
}

/** Converts a whole validation in the same way. */
export function toValidationReply({ valid, passedLevels, totalLevels, results, errors, warnings }: BundleValidation) {
  return {
    valid,
    passedLevels,
    totalLevels,
    results: results.map((result) => ({
      level: result.level,
      name: result.name,
      passed: result.passed,
      errors: result.errors.map(toFindingReply),
      warnings: result.warnings.map(toFindingReply),
    })),
    errors: errors.map(toFindingReply),
    warnings: warnings.map(toFindingReply),
  };
}
