import { hasData, withDatabase } from '@parley/app-server';
import { grantAdmin } from '@parley/server/admin';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { explainBackup } from './explain.ts';
import { readSettings } from './settings.ts';

export async function grant(email: string, words: Words): Promise<CommandResult> {
  const settings = readSettings(words);
  const unknown = () => new CommandError('ACCOUNT_UNKNOWN', { params: { email } });
  if (!hasData(settings)) throw unknown();
  const found = await withDatabase(settings, (url) => grantAdmin(url, email)).catch((error: unknown) => {
    throw explainBackup(error, '', words);
  });
  if (!found) throw unknown();
  const text = words.say('admin.granted', { email: displayName(email) });
  return { exit: EXIT.fine, json: { email, role: 'admin' }, text: (paint) => `${paint('green', '✓')} ${text}\n` };
}
