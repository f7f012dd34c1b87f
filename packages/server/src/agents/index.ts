export { registerAgents } from './routes.ts';
