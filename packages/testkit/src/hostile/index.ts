export type { Anything, HostileConnection } from './connection.ts';
export { type Answer, type Exchange, type HostileServer, startHostileServer } from './server.ts';
