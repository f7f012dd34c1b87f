import type { Locale } from '@parley/base';
import type { ShadowPreview } from '@parley/bundles';
import { describeConflict } from '@parley/bundles';
import type { BundleFinding, BundleValidation } from '@parley/documents/bundle';
import type { Origin } from './registry.ts';

// The only place where what the libraries say becomes what `--json` prints: in the names of the protocol (9.2, BA-1).

export function toValidationJson(validation: BundleValidation) {
  const { valid, passedLevels, totalLevels, results, errors, warnings } = validation;
  return {
    valid,
    passedLevels,
    totalLevels,
    results: results.map((result) => ({
      level: result.level,
      name: result.name,
      passed: result.passed,
      errors: result.errors.map(toFindingJson),
      warnings: result.warnings.map(toFindingJson),
    })),
    errors: errors.map(toFindingJson),
    warnings: warnings.map(toFindingJson),
  };
}

export function toFindingJson({ code, path, message, level }: BundleFinding) {
  return { code, path, message, level };
}

export function toPreviewJson(
  { reply, plan, missing, upgrade }: ShadowPreview,
  { locale, origin }: { locale: Locale; origin: Origin | undefined },
) {
  return {
    preview: reply.preview,
    markdown: reply.markdown,
    missing,
    conflicts: plan.conflicts.map((conflict) => ({ ...conflict, message: describeConflict(conflict, locale) })),
    origin: origin ?? null,
    replaces: plan.replaces,
    upgrade: upgrade === null ? null : { consent: upgrade.consent, changes: upgrade.changes },
  };
}
