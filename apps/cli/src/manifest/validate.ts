import { checkFiles } from '../check-files.ts';
import type { CommandResult } from '../command-result.ts';
import { toFindingJson } from '../json-output.ts';
import type { Words } from '../messages/index.ts';
import { loadManifest } from './load.ts';

export function validate(files: readonly string[], words: Words): Promise<CommandResult> {
  return checkFiles(files, {
    command: 'parley manifest validate',
    words,
    load: (file) => loadManifest(file, words.locale),
    toJson: (loaded) => ({ findings: loaded?.findings.map(toFindingJson) ?? [] }),
  });
}
