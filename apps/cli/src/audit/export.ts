import { EXIT } from '../failure.ts';
import { refuseExisting, writeWhole } from '../manifest/write.ts';
import type { Words } from '../messages/index.ts';
import type { Outcome } from '../outcome.ts';
import { displayName } from '../show.ts';
import { type AuditOptions, withAudit } from './open.ts';

export interface ExportOptions extends AuditOptions {
  readonly file?: string;
  readonly force?: boolean;
}

/** One JSON object a line, to a file or to standard output. */
export function exportAudit({ file, force = false, ...options }: ExportOptions, words: Words): Promise<Outcome> {
  if (file !== undefined) refuseExisting(file, force);
  return withAudit(options, words, async (log, publicKey) => {
    const text = await log.export();
    const lines = text.split('\n').filter((line) => line !== '');
    const entries = lines.map((line) => JSON.parse(line) as unknown);
    if (file === undefined) {
      return { exit: EXIT.fine, json: { device_key: publicKey, lines: entries }, text: () => text };
    }
    writeWhole(file, text, force, 0o600);
    return {
      exit: EXIT.fine,
      json: { file, device_key: publicKey, lines: entries.length },
      text: () => `${words.say('audit.written', { file: displayName(file), key: publicKey })}\n`,
    };
  });
}
