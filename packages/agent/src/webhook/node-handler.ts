import type { WebhookHandler } from './handler.ts';

// The parts of node:http that are used, so that nothing of Node is imported here.

interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}
interface NodeResponse {
  writeHead(status: number, headers: Record<string, string>): unknown;
  end(body: string): unknown;
}

/**
 * Adapts the handler to `http.createServer`, Express and similar servers; nothing may have read the body before. Never
 * rejects.
 */
export function toNodeHandler(
  handler: WebhookHandler,
): (request: NodeRequest, response: NodeResponse) => Promise<void> {
  return async (request, response) => {
    try {
      const answer = await handler(toFetchRequest(request));
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(await answer.text());
    } catch {
      // The server tries again. It is not shown the error itself.
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end('{"outcome":"failed"}');
    }
  };
}

function toFetchRequest(request: NodeRequest): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, typeof value === 'string' ? value : value.join(', '));
  }
  const method = request.method ?? 'GET';
  if (method === 'GET' || method === 'HEAD') return new Request('http://webhook.invalid/', { method, headers });
  const parts = request[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await parts.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await parts.return?.();
    },
  });
  // Fetch requires `duplex` wherever a body is a stream, but the types lack it.
  const init: RequestInit & { duplex: 'half' } = { method, headers, body, duplex: 'half' };
  return new Request('http://webhook.invalid/', init);
}
