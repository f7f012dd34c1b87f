import type { Locale } from '@parley/base';
import type { Message } from '@parley/documents';
import { parseDescriptor, type SkillDescriptor, type Violation, validateDescriptor } from '@parley/documents/skill';
import type { CheckedFile } from '../findings.ts';
import { readInput } from '../input.ts';

/** A descriptor file that was read, valid or not. */
export interface LoadedSkill extends CheckedFile {
  readonly violations: readonly Violation[];
  readonly warnings: readonly Violation[];
  /** With `--development` there would be fewer violations. */
  readonly isForDevelopment: boolean;
  /** Set only if it is valid. */
  readonly descriptor?: SkillDescriptor;
}

interface LoadOptions {
  readonly development: boolean;
  readonly locale: Locale;
}

export async function loadSkill(file: string, options: LoadOptions): Promise<LoadedSkill> {
  const bytes = await readInput(file);
  const parsed = parseDescriptor(bytes, options);
  if (!parsed.ok) {
    const { violations } = parsed;
    return {
      file,
      bytes,
      findings: toFindings(violations, 'error'),
      violations,
      warnings: [],
      isForDevelopment: false,
    };
  }
  const { violations, warnings, descriptor } = validateDescriptor(parsed.value, options);
  const findings = [...toFindings(violations, 'error'), ...toFindings(warnings, 'warning')];
  const inDevelopment = validateDescriptor(parsed.value, { ...options, development: true });
  const isForDevelopment = inDevelopment.violations.length < violations.length;
  return {
    file,
    bytes,
    findings,
    violations,
    warnings,
    isForDevelopment,
    ...(descriptor === undefined ? {} : { descriptor }),
  };
}

function toFindings(violations: readonly Violation[], severity: Message['severity']): Message[] {
  return violations.map(
    ({ code, field, message, params }) => ({ code, severity, path: field, message, params }) as Message,
  );
}
