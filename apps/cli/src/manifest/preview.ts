import { previewConsent, renderPreview } from '@parley/documents';
import type { Words } from '../messages/index.ts';
import type { Outcome } from '../outcome.ts';
import { wirePreview } from '../wire.ts';
import { answerEach } from './each.ts';

export function preview(files: readonly string[], words: Words): Promise<Outcome> {
  return answerEach(files, {
    command: 'parley manifest preview',
    words,
    answer: (manifest) => {
      const screen = previewConsent(manifest, words.locale);
      return {
        json: wirePreview(screen),
        text: (file, paint) => `${file === undefined ? '' : `${paint('bold', `${file}:`)}\n`}${renderPreview(screen)}`,
      };
    },
  });
}
