import type { Violation } from '@parley/documents/skill';
import { EXIT, type ExitCode, Failure } from '../failure.ts';
import { countFindings, formatFindings } from '../manifest/findings.ts';
import { chooseFiles } from '../manifest/load.ts';
import type { Words } from '../messages/index.ts';
import type { Outcome } from '../outcome.ts';
import type { Paint } from '../paint.ts';
import { displayName, sayFailure } from '../show.ts';
import { wireFailure } from '../wire.ts';
import { type LoadedSkill, loadSkill, toFindings } from './load.ts';

interface Unreadable {
  readonly file: string;
  readonly failure: Failure;
}

export interface ValidateOptions {
  readonly development?: boolean;
}

/** SD-5. */
export async function validateSkills(
  files: readonly string[],
  options: ValidateOptions,
  words: Words,
): Promise<Outcome> {
  const chosen = chooseFiles(files, 'parley skill validate');
  const results: (LoadedSkill | Unreadable)[] = [];
  for (const file of chosen) {
    try {
      results.push(await loadSkill(file, { development: options.development === true, locale: words.locale }));
    } catch (error) {
      if (!(error instanceof Failure) || chosen.length === 1) throw error;
      results.push({ file, failure: error });
    }
  }
  const exit = Math.max(...results.map(exitOf)) as ExitCode;
  const reports = results.map((result) => report(result, words));
  return {
    exit,
    json:
      reports.length === 1
        ? reports[0]
        : { valid: exit === EXIT.fine, files: reports.map((entry, at) => ({ file: results[at]!.file, ...entry })) },
    text: (paint) => results.map((result) => format(result, words, paint)).join(''),
  };
}

function exitOf(result: LoadedSkill | Unreadable): ExitCode {
  if ('failure' in result) return result.failure.exit;
  return result.descriptor === undefined ? EXIT.bad : EXIT.fine;
}

function report(result: LoadedSkill | Unreadable, words: Words) {
  if ('failure' in result) {
    const error = wireFailure(result.failure, sayFailure(result.failure, words));
    return { valid: false, violations: [], warnings: [], error };
  }
  const { descriptor, violations, warnings } = result;
  return {
    valid: descriptor !== undefined,
    violations: violations.map(wireViolation),
    warnings: warnings.map(wireViolation),
  };
}

export function wireViolation({ field, expected, actual, message }: Violation) {
  return { field, expected, actual, message };
}

function format(result: LoadedSkill | Unreadable, words: Words, paint: Paint): string {
  if ('failure' in result) return `${paint('red', '✗')} ${sayFailure(result.failure, words)}\n`;
  const { file, bytes, descriptor } = result;
  const findings = toFindings(result);
  const params = { file: displayName(file), findings: countFindings(findings, words) };
  const listed = formatFindings({ file, bytes, findings }, words, paint);
  if (descriptor === undefined) return `${listed}${paint('red', '✗')} ${words.say('validate.invalid', params)}\n`;
  const key = findings.length === 0 ? 'validate.valid' : 'validate.valid_with';
  return `${listed}${paint('green', '✓')} ${words.say(key, params)}\n`;
}
