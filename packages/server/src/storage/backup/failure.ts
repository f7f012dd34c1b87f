export type BackupFailureCode =
  /** It is no backup, or it is damaged or cut off. */
  | 'BACKUP_UNREADABLE'
  /** A newer version made it. */
  | 'BACKUP_NEWER'
  /** There is something in the database that would be lost. */
  | 'DATABASE_NOT_EMPTY'
  /** There is nothing of ours in the database. */
  | 'DATABASE_EMPTY';

export class BackupFailure extends Error {
  readonly code: BackupFailureCode;

  constructor(code: BackupFailureCode, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}
