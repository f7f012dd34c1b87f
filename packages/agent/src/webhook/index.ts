export {
  type DurableObjectStorage,
  openDurableObjectStore,
  type Store,
  type StoreBatch,
  type StoreEntry,
} from '@parley/messenger';
export { ToolError, type ToolErrorReason, type ToolErrorStatus } from '../calls/tool-error.ts';
export { parseWebhookPayload, type WebhookPayload } from '../deliveries/payload.ts';
export {
  createWebhookHandler,
  type WebhookContext,
  type WebhookHandler,
  type WebhookHandlerOptions,
} from './handler.ts';
export { toNodeHandler } from './node-handler.ts';
export { type VerifyOptions, verifyWebhookSignature, type WebhookHeaders } from './verify.ts';
export { WebhookAgent, type WebhookAgentOptions } from './webhook-agent.ts';
