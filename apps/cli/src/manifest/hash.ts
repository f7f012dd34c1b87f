import { hashManifest } from '@parley/documents';
import type { CommandResult } from '../command-result.ts';
import type { Words } from '../messages/index.ts';
import { runForEachFile } from './run-for-each-file.ts';

export function hash(files: readonly string[], words: Words): Promise<CommandResult> {
  return runForEachFile(files, {
    command: 'parley manifest hash',
    words,
    answer: (manifest) => {
      const hex = hashManifest(manifest);
      // Two spaces separate hash and file, as in the output of sha256sum.
      return { json: { hash: hex }, text: (file) => (file === undefined ? `${hex}\n` : `${hex}  ${file}\n`) };
    },
  });
}
