export { grantAdmin } from './admin/grant.ts';
export type { ServerConfig } from './config.ts';
export { createServer, type Server } from './server.ts';
export { StartFailure, type StartFailureCode } from './start-failure.ts';
export { type DumpOptions, dumpDatabase } from './storage/backup/dump.ts';
export { BackupFailure, type BackupFailureCode } from './storage/backup/failure.ts';
export { type Restored, restoreDatabase } from './storage/backup/restore.ts';
export { findHolder, type Hold, type Holder, holdFile } from './storage/embedded/hold.ts';
export { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './storage/embedded.ts';
