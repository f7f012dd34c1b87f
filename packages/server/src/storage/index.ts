// This is a separate entry: commands that run next to the server need its database, not the rest of it.
export { dumpDatabase } from './backup/dump.ts';
export { type Restored, restoreDatabase } from './backup/restore.ts';
export { lockFolder } from './embedded/lock-folder.ts';
export { removeAbandonedClusters } from './embedded/remove-leftovers.ts';
export { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';
export { migrateDatabase } from './migrate-database.ts';
export { describeOutage } from './outage.ts';
