// Entered by itself: commands beside the server need its database, not the rest of it.
export { grantAdmin } from '../admin/grant.ts';
export { StartFailure } from '../errors.ts';
export { dumpDatabase } from './backup/dump.ts';
export { BackupFailure, type BackupFailureCode } from './backup/failure.ts';
export { restoreDatabase } from './backup/restore.ts';
export { removeAbandonedClusters } from './embedded/abandoned.ts';
export { lockFolder } from './embedded/lock-folder.ts';
export { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';
export { migrateDatabase } from './migrate-database.ts';
