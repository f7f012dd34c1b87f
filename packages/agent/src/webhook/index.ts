export {
  createWebhookHandler,
  type WebhookContext,
  type WebhookHandler,
  type WebhookHandlerOptions,
} from './handler.ts';
export { HasheeAgent, type WebhookAgentOptions } from './hashee-agent.ts';
export { toNodeHandler } from './node-handler.ts';
export { parseWebhookPayload, WebhookError, type WebhookPayload } from './payload.ts';
export { type VerifyOptions, verifyWebhookSignature, type WebhookHeaders } from './verify.ts';
