export { createPresence, type Place, type Presence } from './presence.ts';
