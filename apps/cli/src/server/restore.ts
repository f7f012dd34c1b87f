import { createReadStream } from 'node:fs';
import { readState, replaceSecrets, withDatabase } from '@parley/app-server';
import { restoreDatabase } from '@parley/server/storage';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { explainBackup } from './explain.ts';
import { writeKeystores } from './keystores.ts';
import { readSettings } from './settings.ts';

export async function restore(file: string, words: Words): Promise<CommandResult> {
  const settings = readSettings(words);
  const running = readState(settings.dataDir);
  if (running !== undefined) {
    throw new CommandError('SERVER_RUNNING', { params: { pid: running.pid } });
  }
  try {
    const source = createReadStream(file);
    // Before a database is started for a file that is not there.
    await new Promise((resolve, reject) => source.once('open', resolve).once('error', reject));
    const { manifest, secrets, keystores } = await withDatabase(settings, (url) => restoreDatabase(url, source));
    if (secrets !== undefined) replaceSecrets(settings.dataDir, secrets);
    const restored = await writeKeystores(settings.dataDir, keystores);
    const shown = { file: displayName(file), time: manifest.created_at, version: manifest.parley_version };
    const hint = secrets === undefined ? `\n${words.say('restore.without_secrets')}` : '';
    return {
      exit: EXIT.fine,
      json: { file, ...manifest, secrets_restored: secrets !== undefined, keystores_restored: restored },
      text: (paint) =>
        `${paint('green', '✓')} ${words.say('restore.done', shown)}${hint}\n${words.say('restore.next')}\n`,
    };
  } catch (error) {
    throw explainBackup(error, file, words);
  }
}
