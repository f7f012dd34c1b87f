import { hasData, withDatabase } from '@parley/app-server';
import { grantAdmin } from '@parley/server/admin';
import { EXIT, Failure } from '../failure.ts';
import type { Words } from '../messages/index.ts';
import type { Outcome } from '../outcome.ts';
import { displayName } from '../show.ts';
import { explainBackup } from './explain.ts';
import { readSettings } from './settings.ts';

export async function grant(email: string, words: Words): Promise<Outcome> {
  const settings = readSettings(words);
  const unknown = () => new Failure('ACCOUNT_UNKNOWN', EXIT.bad, { key: 'admin.unknown', params: { email } });
  if (!hasData(settings)) throw unknown();
  const found = await withDatabase(settings, (url) => grantAdmin(url, email)).catch((error: unknown) => {
    throw explainBackup(error, '', words);
  });
  if (!found) throw unknown();
  const text = words.say('admin.granted', { email: displayName(email) });
  return { exit: EXIT.fine, json: { email, role: 'admin' }, text: (paint) => `${paint('green', '✓')} ${text}\n` };
}
