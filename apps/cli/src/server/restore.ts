import { createReadStream } from 'node:fs';
import { readState, replaceSecrets, withDatabase } from '@parley/app-server';
import { type Restored, restoreDatabase } from '@parley/server/storage';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { explainBackup } from './explain.ts';
import { placeKeystores } from './keystores.ts';
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
    let restored = 0;
    // Keystores and secrets first: they are of use to nobody until the database is there, and in nobody's way.
    const place = async ({ secrets, keystores }: Restored) => {
      const placed = await placeKeystores(settings.dataDir, keystores);
      try {
        restored = placed.count;
        const putBack = secrets === undefined ? () => {} : replaceSecrets(settings.dataDir, secrets);
        return async () => {
          putBack();
          placed.takeAway();
        };
      } catch (error) {
        placed.takeAway();
        throw error;
      }
    };
    const { manifest, secrets } = await withDatabase(settings, (url) => restoreDatabase(url, source, { place }));
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
