import { acquireLock, openLockFolder, type ProcessLock } from '@parley/base/node';
import { serverError } from '../../errors.ts';

export const POSTGRES_LOCK = 'postgres.lock';

/** Locks the folder, or throws FOLDER_HELD with the process that holds it. */
export async function lockFolder(folder: string, name: string): Promise<ProcessLock> {
  const result = await acquireLock(await openLockFolder(folder), { name });
  if ('lock' in result) return result.lock;
  const { pid, host } = result.holder;
  throw serverError('FOLDER_HELD', { params: { folder, pid, host } });
}
