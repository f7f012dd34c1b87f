import { EXIT } from '../failure.ts';
import { withInterrupt } from '../interrupt.ts';
import type { Words } from '../messages/index.ts';
import type { Outcome } from '../outcome.ts';
import { explainBundle } from './explain.ts';
import { formatPreview } from './format-preview.ts';
import { look } from './look.ts';
import { recall } from './recall.ts';
import type { BundleOptions } from './surroundings.ts';
import { refuseInvalid } from './validate.ts';
import { wirePreview } from './wire.ts';

export async function preview(wish: string, options: BundleOptions, words: Words, program: string): Promise<Outcome> {
  try {
    return await withInterrupt('bundle.interrupted', async (signal) => {
      const { source, workspace, result } = await look(wish, options, { words, signal });
      if (!result.ok) return refuseInvalid(source, result.failure.validation, words);
      const blocked = result.plan.conflicts.length > 0 || result.missing.some(({ reason }) => reason !== null);
      const next = words.say(blocked ? 'preview.blocked' : 'preview.next', {
        command: recall(`${program} activate`, wish, options, result.plan.planDigest),
      });
      return {
        exit: EXIT.fine,
        json: wirePreview(result, { locale: words.locale, origin: source.origin }),
        text: (paint) => `${formatPreview(result, { words, paint, workspace, origin: source.origin })}${next}\n`,
      };
    });
  } catch (error) {
    throw explainBundle(error, words, program);
  }
}
