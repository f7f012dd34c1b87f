import type { Locale } from '@parley/base';
import { typeName } from '../capability/fields.ts';
import { measure } from '../capability/measure.ts';
import type { Finding } from '../json/finding.ts';
import { isObject } from '../json/value.ts';
import { type BundleFinding, LEVELS, type Level } from './finding.ts';
import { dependencies } from './levels/dependencies.ts';
import { determinism } from './levels/determinism.ts';
import { experience } from './levels/experience.ts';
import type { LevelCheck, Surroundings } from './levels/level.ts';
import { permissions } from './levels/permissions.ts';
import { semantics } from './levels/semantics.ts';
import { structure } from './levels/structure.ts';
import { BUNDLE_LIMITS } from './limits.ts';
import { type Migrations, migrate } from './migrate.ts';
import { readNames } from './names.ts';
import { createReports, type Reports } from './reports.ts';
import { RKT_VERSION } from './schema.ts';
import { readShape } from './shape.ts';
import type { Bundle } from './types.ts';

const CHECKS: readonly LevelCheck[] = [structure, semantics, dependencies, permissions, determinism, experience];

export interface LevelResult {
  readonly level: Level;
  readonly name: string;
  readonly passed: boolean;
  readonly errors: BundleFinding[];
  readonly warnings: BundleFinding[];
}

/** The reply to a validation (chapter 9.2). */
export interface BundleValidation {
  /** True if no finding is an error. */
  readonly valid: boolean;
  readonly passedLevels: number;
  readonly totalLevels: 6;
  readonly results: LevelResult[];
  readonly errors: BundleFinding[];
  readonly warnings: BundleFinding[];
}

export interface BundleOptions extends Surroundings {
  readonly locale?: Locale;
  /** No migrations by default. */
  readonly migrations?: Migrations;
}

export interface ReadBundle {
  readonly validation: BundleValidation;
  /** Present only if it is valid: the value that was checked, unchanged unless it was migrated. */
  readonly bundle?: Bundle;
}

/** Checks a value of any origin at all six levels (BV-1…BV-6). It never throws. */
export function validateBundle(value: unknown, options: BundleOptions = {}): BundleValidation {
  return readBundle(value, options).validation;
}

/** Does the same, and returns the bundle if it is valid. */
export function readBundle(value: unknown, options: BundleOptions = {}): ReadBundle {
  const reports = createReports();
  const { locale = 'en', migrations = new Map() } = options;
  if (!measure(value, reports.L1, BUNDLE_LIMITS)) return { validation: summarise(reports, locale, false) };
  if (!isObject(value)) {
    reports.L1.add('FIELD_TYPE', '', { expected: 'object', actual: typeName(value) });
    return { validation: summarise(reports, locale, false) };
  }
  const { bundle: current, from } = migrate(value, migrations);
  if (from !== undefined) {
    reports.L3.add('RKT_MIGRATED', '/rktVersion', { version: from, supported: RKT_VERSION });
  }
  const bundle = readShape(current, reports);
  const context = { bundle, names: readNames(bundle), surroundings: options };
  for (const { level, check } of CHECKS) check(context, reports[level]);
  const validation = summarise(reports, locale, true);
  return validation.valid ? { validation, bundle: current as unknown as Bundle } : { validation };
}

/** The reply for text that `parseBundle` could not read. */
export function rejectBundle(findings: readonly Finding[], locale: Locale = 'en'): BundleValidation {
  const reports = createReports();
  for (const finding of findings) reports.L1.push(finding);
  return summarise(reports, locale, false);
}

/** If nothing could be read (`ran` is false), no level has passed. */
function summarise(reports: Reports, locale: Locale, ran: boolean): BundleValidation {
  const results = LEVELS.map((level, index) => {
    const findings = reports[level].messages(locale).map((message): BundleFinding => ({ ...message, level }));
    const errors = findings.filter(({ severity }) => severity === 'error');
    const warnings = findings.filter(({ severity }) => severity === 'warning');
    return { level, name: CHECKS[index]!.name[locale], passed: ran && errors.length === 0, errors, warnings };
  });
  const errors = results.flatMap((result) => result.errors);
  return {
    valid: errors.length === 0,
    passedLevels: results.filter(({ passed }) => passed).length,
    totalLevels: 6,
    results,
    errors,
    warnings: results.flatMap(({ warnings }) => warnings),
  };
}
