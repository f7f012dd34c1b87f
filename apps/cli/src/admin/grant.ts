import { hasData, removeOperatorLink, withDatabase } from '@parley/app-server';
import { grantAdmin } from '@parley/server/admin';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { Words } from '../messages/index.ts';
import { explainBackup } from '../server/explain.ts';
import { readSettings } from '../server/settings.ts';
import { changeAccount } from './change.ts';
import type { ReasonOptions } from './open.ts';

/** With an address, as an operator of that server; without one, in the database of this machine's. */
export async function grant(email: string, options: ReasonOptions, words: Words): Promise<CommandResult> {
  if (options.url !== undefined) return changeAccount('grant', email, options, words);
  const settings = readSettings(words);
  const unknown = () => new CommandError('ACCOUNT_UNKNOWN', { params: { email } });
  if (!hasData(settings)) throw unknown();
  const logged = (url: string) => grantAdmin(url, email, options.reason);
  const found = await withDatabase(settings, logged).catch((error: unknown) => {
    throw explainBackup(error, '', words);
  });
  if (!found) throw unknown();
  removeOperatorLink(settings.dataDir);
  const text = words.say('admin.granted', { email: displayName(email) });
  return { exit: EXIT.fine, json: { email, role: 'admin' }, text: (paint) => `${paint('green', '✓')} ${text}\n` };
}
