import type { Manifest } from '@parley/documents';
import { isUnreadable, loadEach, type UnreadableFile, worstExit } from '../check-files.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import { explainError } from '../explain-error.ts';
import { formatFindings } from '../findings.ts';
import { chooseFiles } from '../input.ts';
import { toErrorJson, toFindingJson } from '../json-output.ts';
import type { Words } from '../messages/index.ts';
import type { Paint } from '../paint.ts';
import { type LoadedManifest, loadManifest } from './load.ts';

/** What a command prints about one valid manifest. */
export interface Answer {
  readonly json: object;
  text(file: string | undefined, paint: Paint): string;
}

/** Runs a command for each file. Results go to standard output, the findings of invalid files to standard error. */
export async function runForEachFile(
  files: readonly string[],
  options: { command: string; words: Words; answer: (manifest: Manifest) => Answer },
): Promise<CommandResult> {
  const { command, words, answer } = options;
  const results = await loadEach(chooseFiles(files, command), (file) => loadManifest(file, words.locale));
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
    stderr: (paint) => results.map((result) => formatRefusal(result, words, paint)).join(''),
  };
}

/** What `--json` prints about a file that is not valid or cannot be read. */
function refuse(result: LoadedManifest | UnreadableFile, words: Words) {
  if (isUnreadable(result)) return { error: toErrorJson(result.error, words) };
  return { error: describeInvalid([result], words), findings: result.findings.map(toFindingJson) };
}

export function describeInvalid(results: readonly LoadedManifest[], words: Words) {
  const files = results.map((result) => displayName(result.file)).join(words.say('list.separator'));
  return { code: 'MANIFEST_INVALID', message: words.say('manifest.invalid', { files }) };
}

/** The result of a command that needs a valid manifest and was given an invalid one. */
export function refuseInvalid(loaded: LoadedManifest, words: Words): CommandResult {
  const error = describeInvalid([loaded], words);
  return {
    exit: EXIT.bad,
    json: { error, findings: loaded.findings.map(toFindingJson) },
    text: () => '',
    stderr: (paint) => `${formatRefusal(loaded, words, paint)}${error.message}\n`,
  };
}

export function formatRefusal(result: LoadedManifest | UnreadableFile, words: Words, paint: Paint): string {
  if (isUnreadable(result)) return `${paint('red', explainError(result.error, words.locale))}\n`;
  return result.manifest === undefined ? formatFindings(result, words, paint) : '';
}

function isValid(result: LoadedManifest | UnreadableFile): result is LoadedManifest & { manifest: Manifest } {
  return 'manifest' in result && result.manifest !== undefined;
}
