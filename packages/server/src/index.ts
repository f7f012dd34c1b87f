export type { ServerConfig } from './config.ts';
export { createServer, type Server } from './server.ts';
export { StartFailure, type StartFailureCode } from './start-failure.ts';
export { findHolder, type Hold, type Holder, holdFile } from './storage/embedded/hold.ts';
export { type EmbeddedPostgres, findEmbeddedPostgres, startEmbeddedPostgres } from './storage/embedded.ts';
