import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler, type WebhookHandler } from '@parley/agent/webhook';
import { hasheeSigningInput, WEBHOOK_HEADERS } from '@parley/protocol';

/** One delivery and the answer to it. */
export interface Delivery {
  readonly headers: Headers;
  readonly body: string;
  /** Undefined if nobody answered. */
  readonly status: number | undefined;
  readonly outcome: string | undefined;
}

/** The address of one agent. */
export interface Endpoint {
  readonly url: string;
  /** The deliveries in the order in which they were answered. */
  readonly deliveries: readonly Delivery[];
  /** Answers all deliveries from now on. While it is undefined, the answer is 503, and the delivery comes again. */
  handler: WebhookHandler | undefined;
}

export interface WebhookHost {
  endpoint(name: string, handler?: WebhookHandler): Endpoint;
  close(): Promise<void>;
}

/** Starts a real HTTP server on loopback for the webhooks of any number of agents. */
export async function startWebhookHost(): Promise<WebhookHost> {
  const answers = new Map<string, WebhookHandler>();
  // Deliveries for an agent that was removed need not come again.
  const gone: WebhookHandler = async () => new Response(null, { status: 410 });
  const server = createServer((request, response) =>
    toNodeHandler(answers.get(request.url ?? '') ?? gone)(request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    endpoint(name, handler) {
      const deliveries: Delivery[] = [];
      const endpoint: Endpoint = { url: `${base}/${name}`, deliveries, handler };
      answers.set(`/${name}`, async (request) => {
        const { headers } = request;
        const body = await request.text();
        const again = new Request(request.url, { method: request.method, headers, body });
        let response: Response | undefined;
        try {
          response = await (endpoint.handler?.(again) ?? new Response(null, { status: 503 }));
          return response.clone();
        } finally {
          deliveries.push({ headers, body, status: response?.status, outcome: await readOutcome(response) });
        }
      });
      return endpoint;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function readOutcome(response: Response | undefined): Promise<string | undefined> {
  const text = (await response?.text()) ?? '';
  return text === '' ? undefined : (JSON.parse(text) as { outcome: string }).outcome;
}

/** Signs as the server does: for a server that delivers what it should not. */
export function signedHeaders(
  secret: string,
  delivery: { readonly deliveryId: string; readonly at: Date; readonly body: string },
): Record<string, string> {
  const timestamp = Math.floor(delivery.at.getTime() / 1_000);
  const input = hasheeSigningInput({ ...delivery, timestamp });
  return {
    [WEBHOOK_HEADERS.signature]: createHmac('sha256', secret).update(input).digest('hex'),
    [WEBHOOK_HEADERS.timestamp]: String(timestamp),
    [WEBHOOK_HEADERS.deliveryId]: delivery.deliveryId,
  };
}
