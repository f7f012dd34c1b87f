// An entry of its own: commands that run next to the server need its database, not the rest of it.
export { dumpDatabase } from './backup/dump.ts';
export { restoreDatabase } from './backup/restore.ts';
export { removeAbandonedClusters } from './embedded/abandoned.ts';
export { lockFolder } from './embedded/lock-folder.ts';
export { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './embedded.ts';
export { migrateDatabase } from './migrate-database.ts';
