import { isParleyError } from '@parley/base';
import { EXIT, Failure } from '../failure.ts';
import type { Words } from '../messages/index.ts';
import { explainRefusal } from './settings.ts';

const REFUSED = ['BACKUP_UNREADABLE', 'BACKUP_NEWER', 'DATABASE_NOT_EMPTY', 'DATABASE_EMPTY'] as const;

/** Why a backup cannot be written or restored. Anything else is a mistake of ours and goes on as it is. */
export function explainBackup(error: unknown, file: string, words: Words): unknown {
  if (isParleyError(error, ...REFUSED)) {
    return new Failure(error.code, EXIT.bad, { key: 'server.because', params: { text: error.explain(words.locale) } });
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
