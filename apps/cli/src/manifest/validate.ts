import { EXIT } from '../failure.ts';
import type { Words } from '../messages/index.ts';
import type { Outcome } from '../outcome.ts';
import type { Paint } from '../paint.ts';
import { displayName, sayFailure } from '../show.ts';
import { wireFailure, wireFinding } from '../wire.ts';
import { countFindings, formatFindings } from './findings.ts';
import { chooseFiles, type Loaded, loadManifests, type Unreadable, worstExit } from './load.ts';

export async function validate(files: readonly string[], words: Words): Promise<Outcome> {
  const results = await loadManifests(chooseFiles(files, 'parley manifest validate'), words.locale);
  const exit = worstExit(results);
  const reports = results.map((result) => report(result, words));
  return {
    exit,
    json:
      reports.length === 1
        ? reports[0]
        : { valid: exit === EXIT.fine, files: reports.map((entry, at) => ({ file: results[at]!.file, ...entry })) },
    text: (paint) => results.map((result) => formatResult(result, words, paint)).join('') + formatTotal(results, words),
  };
}

function report(result: Loaded | Unreadable, words: Words) {
  if ('failure' in result) {
    return { valid: false, findings: [], error: wireFailure(result.failure, sayFailure(result.failure, words)) };
  }
  return { valid: result.manifest !== undefined, findings: result.findings.map(wireFinding) };
}

function formatResult(result: Loaded | Unreadable, words: Words, paint: Paint): string {
  if ('failure' in result) return `${paint('red', '✗')} ${sayFailure(result.failure, words)}\n`;
  return formatFindings(result, words, paint) + formatVerdict(result, words, paint);
}

function formatVerdict({ file, findings, manifest }: Loaded, words: Words, paint: Paint): string {
  const params = { file: displayName(file), findings: countFindings(findings, words) };
  if (manifest === undefined) return `${paint('red', '✗')} ${words.say('validate.invalid', params)}\n`;
  const key = findings.length === 0 ? 'validate.valid' : 'validate.valid_with';
  return `${paint('green', '✓')} ${words.say(key, params)}\n`;
}

function formatTotal(results: readonly (Loaded | Unreadable)[], words: Words): string {
  if (results.length === 1) return '';
  const valid = results.filter((result) => 'manifest' in result).length;
  const params = { files: words.count('files', results.length), valid, invalid: results.length - valid };
  return `${words.say('validate.total', params)}\n`;
}
