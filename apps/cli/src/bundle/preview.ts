import type { CommandResult } from '../command-result.ts';
import { EXIT } from '../exit-code.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import { ownCommand } from '../own-command.ts';
import type { BundleOptions } from './environment.ts';
import { formatPreview } from './format-preview.ts';
import { toPreviewJson } from './json-output.ts';
import { formatNextCommand } from './next-command.ts';
import { previewSource } from './preview-source.ts';
import { refuseInvalid } from './validate.ts';

export async function preview(
  reference: string,
  options: BundleOptions,
  words: Words,
  program: string,
): Promise<CommandResult> {
  return await withInterrupt('bundle.interrupted', async (signal) => {
    const { source, workspace, result } = await previewSource(reference, options, { words, signal });
    if (!result.ok) return refuseInvalid(source, result.failure.validation, words);
    const blocked = result.plan.conflicts.length > 0 || result.missing.some(({ reason }) => reason !== null);
    const next = words.say(blocked ? 'preview.blocked' : 'preview.next', {
      command: formatNextCommand(ownCommand(`${program} activate`), reference, options, result.plan.planDigest),
    });
    return {
      exit: EXIT.fine,
      json: toPreviewJson(result, { locale: words.locale, origin: source.origin }),
      text: (paint) => `${formatPreview(result, { words, paint, workspace, origin: source.origin })}${next}\n`,
    };
  });
}
