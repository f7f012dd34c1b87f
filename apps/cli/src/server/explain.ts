import { BackupFailure, type BackupFailureCode } from '@parley/server/storage';
import { EXIT, Failure } from '../failure.ts';
import type { MessageKey, Words } from '../messages/index.ts';
import { explainRefusal } from './settings.ts';

const KEYS: Readonly<Record<BackupFailureCode, MessageKey>> = {
  BACKUP_UNREADABLE: 'restore.unreadable',
  BACKUP_NEWER: 'restore.newer',
  DATABASE_NOT_EMPTY: 'restore.not_empty',
  DATABASE_EMPTY: 'backup.empty',
};

/** Why a backup cannot be written or restored. Anything else is a mistake of ours and goes on as it is. */
export function explainBackup(error: unknown, file: string, words: Words): unknown {
  if (error instanceof BackupFailure) {
    return new Failure(error.code, EXIT.bad, { key: KEYS[error.code], params: { file } });
  }
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (code === undefined || syscall === undefined) return explainRefusal(error, words);
  if (code === 'EEXIST') return new Failure('FILE_EXISTS', EXIT.bad, { key: 'output.exists', params: { file } });
  if (syscall === 'connect') {
    return new Failure('DATABASE_UNREACHABLE', EXIT.environment, {
      key: 'database.unreachable',
      params: { reason: code },
    });
  }
  if (code === 'ENOENT')
    return new Failure('FILE_NOT_FOUND', EXIT.environment, { key: 'input.not_found', params: { file } });
  return new Failure('FILE_UNUSABLE', EXIT.environment, { key: 'file.unusable', params: { file, reason: code } });
}
