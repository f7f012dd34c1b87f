import { serverError } from '@parley/server/errors';
import { describeOutage } from '@parley/server/storage';
import { CommandError } from '../command-error.ts';
import type { MessageKey, Words } from '../messages/index.ts';
import { explainRefusal } from './settings.ts';

/** The server's own sentences do not name the file. */
const KEYS: Readonly<Record<string, MessageKey>> = {
  BACKUP_UNREADABLE: 'restore.unreadable',
  BACKUP_NEWER: 'restore.newer',
  DATABASE_NOT_EMPTY: 'restore.not_empty',
  DATABASE_EMPTY: 'backup.empty',
};

/** Why a backup cannot be written or restored. Any other error is returned unchanged. */
export function explainBackup(error: unknown, file: string, words: Words): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code !== undefined && Object.hasOwn(KEYS, code)) {
    return new CommandError(code, { sentences: [{ key: KEYS[code]!, params: { file } }] });
  }
  const isConnecting = syscall === 'connect' || syscall === 'getaddrinfo';
  const outage = isConnecting ? code : describeOutage(error);
  if (outage !== undefined) return serverError('DATABASE_UNREACHABLE', { params: { reason: outage } });
  if (code === undefined || syscall === undefined) return explainRefusal(error, words);
  if (code === 'EEXIST') return new CommandError('FILE_EXISTS', { params: { file } });
  if (code === 'ENOENT') return new CommandError('FILE_NOT_FOUND', { params: { file } });
  return new CommandError('FILE_UNUSABLE', { params: { file, reason: code } });
}
