import type { Manifest } from '@parley/documents';
import type { Words } from '../messages/index.ts';
import type { Outcome } from '../outcome.ts';
import type { Paint } from '../paint.ts';
import { displayName, sayFailure } from '../show.ts';
import { wireFailure, wireFinding } from '../wire.ts';
import { formatFindings } from './findings.ts';
import { chooseFiles, type Loaded, loadManifests, type Unreadable, worstExit } from './load.ts';

/** What a command says about one valid manifest. */
export interface Answer {
  readonly json: object;
  text(file: string | undefined, paint: Paint): string;
}

/** The same question to every file: answers on standard output, what is wrong with the others on standard error. */
export async function answerEach(
  files: readonly string[],
  options: { command: string; words: Words; answer: (manifest: Manifest) => Answer },
): Promise<Outcome> {
  const { command, words, answer } = options;
  const results = await loadManifests(chooseFiles(files, command), words.locale);
  const answers = results.map((result) => ({ result, given: isValid(result) ? answer(result.manifest) : undefined }));
  const entries = answers.map(({ result, given }) => given?.json ?? refuse(result, words));
  const single = results.length === 1;
  return {
    exit: worstExit(results),
    json: single ? entries[0] : { files: entries.map((entry, at) => ({ file: results[at]!.file, ...entry })) },
    text: (paint) =>
      answers
        .map(({ result, given }) => given?.text(single ? undefined : displayName(result.file), paint) ?? '')
        .join(''),
    complaints: (paint) => results.map((result) => complain(result, words, paint)).join(''),
  };
}

/** What `--json` says about a file that gave no answer. */
function refuse(result: Loaded | Unreadable, words: Words) {
  if ('failure' in result) return { error: wireFailure(result.failure, sayFailure(result.failure, words)) };
  return { error: invalid([result], words), findings: result.findings.map(wireFinding) };
}

export function invalid(results: readonly Loaded[], words: Words) {
  const files = results.map((result) => displayName(result.file)).join(words.say('list.separator'));
  return { code: 'MANIFEST_INVALID', message: words.say('manifest.invalid', { files }) };
}

export function complain(result: Loaded | Unreadable, words: Words, paint: Paint): string {
  if ('failure' in result) return `${paint('red', sayFailure(result.failure, words))}\n`;
  return result.manifest === undefined ? formatFindings(result, words, paint) : '';
}

function isValid(result: Loaded | Unreadable): result is Loaded & { manifest: Manifest } {
  return 'manifest' in result && result.manifest !== undefined;
}
