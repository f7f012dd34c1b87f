export type { Anything, Line } from './line.ts';
export { type Answer, type Exchange, type HostileServer, startHostileServer } from './server.ts';
