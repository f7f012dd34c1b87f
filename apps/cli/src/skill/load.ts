import type { Locale } from '@parley/base';
import type { Message } from '@parley/documents';
import { parseDescriptor, type SkillDescriptor, type Violation, validateDescriptor } from '@parley/documents/skill';
import { readInput } from '../input.ts';

/** A descriptor file that was read, right or wrong. */
export interface LoadedSkill {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly violations: readonly Violation[];
  readonly warnings: readonly Violation[];
  /** Only where it is valid. */
  readonly descriptor?: SkillDescriptor;
}

interface LoadOptions {
  readonly development: boolean;
  readonly locale: Locale;
}

export async function loadSkill(file: string, options: LoadOptions): Promise<LoadedSkill> {
  const bytes = await readInput(file);
  const parsed = parseDescriptor(bytes, options);
  if (!parsed.ok) return { file, bytes, violations: parsed.violations, warnings: [] };
  const { violations, warnings, descriptor } = validateDescriptor(parsed.value, options);
  return { file, bytes, violations, warnings, ...(descriptor === undefined ? {} : { descriptor }) };
}

/** As findings of any document are drawn. */
export function toFindings({ violations, warnings }: Pick<LoadedSkill, 'violations' | 'warnings'>): Message[] {
  const toFinding = (severity: Message['severity']) => (violation: Violation) => {
    const { code, field, message, params } = violation;
    return { code, severity, path: field, message, params } as Message;
  };
  return [...violations.map(toFinding('error')), ...warnings.map(toFinding('warning'))];
}
