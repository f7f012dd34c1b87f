import { createWriteStream, linkSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasData, secretsFile, withDatabase } from '@parley/app-server';
import { dumpDatabase } from '@parley/server/storage';
import { CommandError } from '../command-error.ts';
import type { CommandResult } from '../command-result.ts';
import { displayName } from '../display.ts';
import { EXIT } from '../exit-code.ts';
import type { MessageKey, Words } from '../messages/index.ts';
import { OWN_PACKAGE } from '../own-package.ts';
import { refuseExisting } from '../write-file.ts';
import { explainBackup } from './explain.ts';
import { readKeystores } from './keystores.ts';
import { readSettings } from './settings.ts';

export interface BackupOptions {
  readonly withSecrets?: boolean;
  readonly force?: boolean;
}

export async function backup(file: string, options: BackupOptions, words: Words): Promise<CommandResult> {
  const settings = readSettings(words);
  refuseExisting(file, options.force === true);
  if (!hasData(settings))
    throw new CommandError('DATABASE_EMPTY', { exit: EXIT.bad, sentences: [{ key: 'backup.empty' }] });
  const { dataDir } = settings;
  let keystores = 0;
  const readAll = async () => {
    const found = await readKeystores(dataDir);
    keystores = Object.keys(found).length;
    return found;
  };
  const secrets = options.withSecrets
    ? { secrets: readFileSync(secretsFile(dataDir), 'utf8'), readKeystores: readAll }
    : {};
  const draft = join(dirname(file), `.${basename(file)}.${process.pid}.tmp`);
  try {
    await withDatabase(settings, (url) =>
      dumpDatabase(url, createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true }), {
        version: OWN_PACKAGE.version,
        now: new Date(),
        ...secrets,
      }),
    );
    // A link, unlike a rename, does not replace what has appeared meanwhile.
    if (options.force) renameSync(draft, file);
    else linkSync(draft, file);
  } catch (error) {
    throw explainBackup(error, file, words);
  } finally {
    rmSync(draft, { force: true });
  }
  const bytes = statSync(file).size;
  const shown = { file: displayName(file), kib: Math.ceil(bytes / 1024) };
  const hints: MessageKey[] = options.withSecrets
    ? [keystores === 0 ? 'backup.no_keystores' : 'backup.keystores', 'backup.guard_it']
    : ['backup.without_secrets'];
  return {
    exit: EXIT.fine,
    json: { file, bytes, with_secrets: options.withSecrets === true, keystores },
    text: (paint) => {
      const lines = hints.map((hint) => `${words.say(hint, { count: keystores })}\n`);
      return `${paint('green', '✓')} ${words.say('backup.written', shown)}\n${lines.join('')}`;
    },
  };
}
