import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { refuseExisting, writeFileAtomically } from '../write-file.ts';
import { type AuditOptions, withAudit } from './open.ts';

export interface ExportOptions extends AuditOptions {
  readonly file?: string;
  readonly force?: boolean;
}

/** Writes one JSON object per line to a file or to standard output. */
export function exportAudit({ file, force = false, ...options }: ExportOptions, words: Words): Promise<CommandResult> {
  if (file !== undefined) refuseExisting(file, force);
  return withAudit(options, async (log, publicKey) => {
    const text = await log.export();
    const lines = text.split('\n').filter((line) => line !== '');
    const entries = lines.map((line) => JSON.parse(line) as unknown);
    if (file === undefined) {
      return { exit: EXIT.fine, json: { device_key: publicKey, lines: entries }, text: () => text };
    }
    writeFileAtomically(file, text, force, 0o600);
    return {
      exit: EXIT.fine,
      json: { file, device_key: publicKey, lines: entries.length },
      text: () => `${words.say('audit.written', { file: displayName(file), key: publicKey })}\n`,
    };
  });
}
