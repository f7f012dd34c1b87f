import type { BundleValidation } from '@parley/documents/bundle';
import { displayName } from '../display.ts';
import { countFindings, formatFindings } from '../findings.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';
import type { Source } from './source.ts';

/** Formats the result level by level, each finding with its line. */
export function formatValidation(
  { name, bytes }: Pick<Source, 'name' | 'bytes'>,
  validation: BundleValidation,
  { words, paint }: { words: Words; paint: Paint },
): string {
  const levels = validation.results.map(({ level, name: title, passed, errors, warnings }) => {
    const mark = passed ? (warnings.length > 0 ? paint('yellow', '!') : paint('green', '✓')) : paint('red', '✗');
    const findings = formatFindings({ file: name, bytes, findings: [...errors, ...warnings] }, words, paint);
    return `${mark} ${level} ${title}\n${findings.replace(/^(?=.)/gm, '  ')}`;
  });
  return `${levels.join('')}${formatVerdict(name, validation, words, paint)}`;
}

function formatVerdict(name: string, validation: BundleValidation, words: Words, paint: Paint): string {
  const { valid, errors, warnings, passedLevels } = validation;
  const params = {
    file: displayName(name),
    findings: countFindings([...errors, ...warnings], words),
    passed: passedLevels,
  };
  if (!valid) return `${paint('red', '✗')} ${words.say('bundle.invalid', params)}\n`;
  const key = warnings.length === 0 ? 'bundle.valid' : 'bundle.valid_with';
  return `${paint('green', '✓')} ${words.say(key, params)}\n`;
}
