export { ensureLocalAgent, type LocalAgent, type LocalAgentOptions } from './agents/local-agent.ts';
export type { ServerConfig } from './config.ts';
export { createRelay } from './conversations/relay.ts';
export { createServer, type Server, type StartOptions } from './server.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './storage/embedded.ts';
export type { StartStep } from './storage/migrate.ts';
