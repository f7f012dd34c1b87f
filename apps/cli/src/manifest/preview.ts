import { previewConsent, renderPreview } from '@parley/documents';
import type { CommandResult } from '../command-result.ts';
import { toPreviewJson } from '../json-output.ts';
import type { Words } from '../messages/index.ts';
import { runForEachFile } from './run-for-each-file.ts';

export function preview(files: readonly string[], words: Words): Promise<CommandResult> {
  return runForEachFile(files, {
    command: 'parley manifest preview',
    words,
    answer: (manifest) => {
      const screen = previewConsent(manifest, words.locale);
      return {
        json: toPreviewJson(screen),
        text: (file, paint) => `${file === undefined ? '' : `${paint('bold', `${file}:`)}\n`}${renderPreview(screen)}`,
      };
    },
  });
}
