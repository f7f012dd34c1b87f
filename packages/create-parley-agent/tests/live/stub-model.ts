import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was asked
export type Asked = any;

/** What a model makes of a request: words, or one call of a tool. */
type Reply = { readonly text: string } | { readonly tool: string; readonly input: object };

export interface StubModel {
  readonly url: string;
  /** Bodies of the requests so far. */
  readonly asked: Asked[];
  close(): Promise<void>;
}

/** An HTTP server that speaks as OpenAI and as Anthropic do, and says what the test makes of each request. */
export async function startStubModel(decide: (messages: Asked[]) => Reply): Promise<StubModel> {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const body = JSON.parse(text);
    asked.push({ path: request.url, ...body });
    const reply = decide(body.messages);
    const answer = request.url === '/v1/messages' ? asMessage(reply) : asCompletion(reply);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Of Chat Completions. */
function asCompletion(reply: Reply) {
  const message =
    'text' in reply
      ? { role: 'assistant', content: reply.text }
      : {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'call_1', type: 'function', function: { name: reply.tool, arguments: JSON.stringify(reply.input) } },
          ],
        };
  const finish_reason = 'text' in reply ? 'stop' : 'tool_calls';
  return {
    id: 'c',
    object: 'chat.completion',
    created: 1,
    model: 'stub',
    choices: [{ index: 0, finish_reason, message }],
  };
}

/** Of the Messages API. */
function asMessage(reply: Reply) {
  const block =
    'text' in reply
      ? { type: 'text', text: reply.text }
      : { type: 'tool_use', id: 'toolu_1', name: reply.tool, input: reply.input };
  return {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'stub', content: [block], stop_sequence: null },
    stop_reason: 'text' in reply ? 'end_turn' : 'tool_use',
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}
