export { createPresence, type Presence, type SocketPresence } from './presence.ts';
