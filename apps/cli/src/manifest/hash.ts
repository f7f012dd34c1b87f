import { hashManifest } from '@parley/documents';
import type { Words } from '../messages/index.ts';
import type { Outcome } from '../outcome.ts';
import { answerEach } from './each.ts';

export function hash(files: readonly string[], words: Words): Promise<Outcome> {
  return answerEach(files, {
    command: 'parley manifest hash',
    words,
    answer: (manifest) => {
      const hex = hashManifest(manifest);
      // Two spaces before the file, as sha256sum has it.
      return { json: { hash: hex }, text: (file) => (file === undefined ? `${hex}\n` : `${hex}  ${file}\n`) };
    },
  });
}
