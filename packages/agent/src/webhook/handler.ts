import type { Agent } from '../agent.ts';
import { parseWebhookPayload, type WebhookPayload } from '../deliveries/payload.ts';
import { findSigned } from './verify.ts';

/** The largest envelope, as JSON inside JSON, fits into this. */
const MAX_BODY_BYTES = 1024 * 1024;

/** The context of edge runtimes: `waitUntil` keeps the worker alive after the answer. */
export interface WebhookContext {
  waitUntil?(work: Promise<unknown>): void;
}
export type WebhookHandler = (request: Request, context?: WebhookContext) => Promise<Response>;

export interface WebhookHandlerOptions {
  readonly now?: (() => Date) | undefined;
}

/**
 * Answers deliveries (SK-5), before the agent's handlers are done: the server waits ten seconds, people take longer.
 */
export function createWebhookHandler(agent: Agent, options: WebhookHandlerOptions = {}): WebhookHandler {
  const { now = () => new Date() } = options;
  const secrets = agent.webhookSecrets;
  if (secrets.length === 0) throw new TypeError('webhookSecret: must be given to init');

  return async (request, context) => {
    if (request.method !== 'POST') return reply(405, 'method', { allow: 'POST' });
    const body = await readBody(request);
    if (body === undefined) return reply(413, 'too_large');
    // The delivery_id decides whether it is new, so one that was handled is answered 200 however it comes.
    const signed = findSigned(secrets, { headers: request.headers, rawBody: body, now: now() });
    if (signed === undefined) return reply(401, 'signature');
    const delivery = read(body);
    if (delivery === undefined || delivery.delivery_id !== signed.deliveryId) return reply(400, 'payload');
    if (delivery.agent_id !== agent.agentId) return reply(400, 'agent');
    const result = await agent.receive(delivery);
    context?.waitUntil?.(agent.idle());
    return reply(200, result);
  };
}

function read(body: Uint8Array): WebhookPayload | undefined {
  try {
    return parseWebhookPayload(body);
  } catch {
    return undefined;
  }
}

/** Returns undefined if the body is larger than any delivery. */
async function readBody(request: Request): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = request.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (part === undefined || part.done) break;
    length += part.value.length;
    if (length > MAX_BODY_BYTES) {
      await reader?.cancel();
      return undefined;
    }
    chunks.push(part.value);
  }
  const body = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return body;
}

const reply = (status: number, outcome: string, headers: Record<string, string> = {}): Response =>
  new Response(JSON.stringify({ outcome }), { status, headers: { 'content-type': 'application/json', ...headers } });
