export type { Line } from './lines.ts';
export { type Answer, type Anything, type Exchange, type HostileServer, startHostileServer } from './server.ts';
