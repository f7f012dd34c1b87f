import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was asked
export type Asked = any;

export interface StubModel {
  readonly url: string;
  /** Bodies of the requests so far. */
  readonly asked: Asked[];
  close(): Promise<void>;
}

/** An HTTP server that answers as a model would: with what the test makes of each request. */
export async function startStubModel(answer: (body: Asked) => unknown): Promise<StubModel> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    asked.push(body);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer(body)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

export interface StubCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** Of Chat Completions. */
export function chatCompletion(content: string | null, calls: readonly StubCall[] = []) {
  const tool_calls = calls.map(({ id, ...fn }) => ({ id, type: 'function', function: fn }));
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_770_000_000,
    model: 'stub',
    choices: [
      {
        index: 0,
        finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
        message: { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls } : {}) },
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}
