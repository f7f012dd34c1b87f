export { registerConversations } from './routes.ts';
export { type Conversations, createConversations } from './services.ts';
