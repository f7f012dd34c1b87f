import { CommandError } from './command-error.ts';
import type { CommandResult } from './command-result.ts';
import { displayName } from './display.ts';
import { EXIT, type ExitCode } from './exit-code.ts';
import { explainError } from './explain-error.ts';
import { type CheckedFile, countFindings, formatFindings } from './findings.ts';
import { chooseFiles } from './input.ts';
import { toErrorJson } from './json-output.ts';
import type { Words } from './messages/index.ts';
import type { Paint } from './paint.ts';

export interface UnreadableFile {
  readonly file: string;
  readonly error: CommandError;
}

export const isUnreadable = (result: CheckedFile | UnreadableFile): result is UnreadableFile => 'error' in result;

/** A single unreadable file ends the command; among several files the others are still checked. */
export async function loadEach<Loaded extends CheckedFile>(
  files: readonly string[],
  load: (file: string) => Promise<Loaded>,
): Promise<(Loaded | UnreadableFile)[]> {
  const results: (Loaded | UnreadableFile)[] = [];
  for (const file of files) {
    try {
      results.push(await load(file));
    } catch (error) {
      if (!(error instanceof CommandError) || files.length === 1) throw error;
      results.push({ file, error });
    }
  }
  return results;
}

const isValid = ({ findings }: CheckedFile): boolean => !findings.some(({ severity }) => severity === 'error');

/** Returns the worst exit code: an unreadable file is worse than an invalid one. */
export function worstExit(results: readonly (CheckedFile | UnreadableFile)[]): ExitCode {
  const codes = results.map((result) => {
    if (isUnreadable(result)) return result.error.exit;
    return isValid(result) ? EXIT.fine : EXIT.bad;
  });
  return Math.max(...codes) as ExitCode;
}

interface CheckOptions<Loaded> {
  readonly command: string;
  readonly words: Words;
  load(file: string): Promise<Loaded>;
  /** What `--json` lists about one readable file. */
  toJson(loaded: Loaded | undefined): object;
}

/** Reports all findings of all files and a verdict for each, for every kind of document. */
export async function checkFiles<Loaded extends CheckedFile>(
  files: readonly string[],
  { command, words, load, toJson }: CheckOptions<Loaded>,
): Promise<CommandResult> {
  const results = await loadEach(chooseFiles(files, command), load);
  const exit = worstExit(results);
  const reports = results.map((result) => {
    if (isUnreadable(result)) return { valid: false, ...toJson(undefined), error: toErrorJson(result.error, words) };
    return { valid: isValid(result), ...toJson(result) };
  });
  return {
    exit,
    json:
      reports.length === 1
        ? reports[0]
        : { valid: exit === EXIT.fine, files: reports.map((report, at) => ({ file: results[at]!.file, ...report })) },
    text: (paint) => results.map((result) => formatResult(result, words, paint)).join('') + formatTotal(results, words),
  };
}

function formatResult(result: CheckedFile | UnreadableFile, words: Words, paint: Paint): string {
  if (isUnreadable(result)) return `${paint('red', '✗')} ${explainError(result.error, words.locale)}\n`;
  const { file, findings } = result;
  const params = { file: displayName(file), findings: countFindings(findings, words) };
  const listed = formatFindings(result, words, paint);
  if (!isValid(result)) return `${listed}${paint('red', '✗')} ${words.say('validate.invalid', params)}\n`;
  const key = findings.length === 0 ? 'validate.valid' : 'validate.valid_with';
  return `${listed}${paint('green', '✓')} ${words.say(key, params)}\n`;
}

function formatTotal(results: readonly (CheckedFile | UnreadableFile)[], words: Words): string {
  if (results.length === 1) return '';
  const valid = results.filter((result) => !isUnreadable(result) && isValid(result)).length;
  const params = { files: words.count('files', results.length), valid, invalid: results.length - valid };
  return `${words.say('validate.total', params)}\n`;
}
