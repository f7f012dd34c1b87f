import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { Anything } from './connection.ts';
import { type FrameControls, relayFrames } from './frames.ts';

/** One request as it came in. */
export interface Exchange {
  readonly method: string;
  readonly path: string;
  readonly body: Anything;
}
/** The answer to send; `raw` is sent as it is, in place of the body. */
export interface Answer {
  status: number;
  body: Anything;
  raw?: string | AsyncIterable<Uint8Array>;
}
export interface HostileServer extends FrameControls {
  readonly url: string;
  /** Changes the answers to a route such as `GET /agents/:id`, in place or by returning another body. */
  answer(route: string, change: (answer: Answer, exchange: Exchange) => unknown): () => void;
  close(): Promise<void>;
}

/** Starts a server that lies: it forwards everything to an honest one, and changes the answers as the test wants. */
export async function startHostileServer(honestUrl: string): Promise<HostileServer> {
  const answers = new Set<{
    fits(exchange: Exchange): boolean;
    change: (answer: Answer, exchange: Exchange) => unknown;
  }>();
  const frames = relayFrames(honestUrl);

  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const honest = await fetch(honestUrl + request.url, {
      method: request.method!,
      headers: passOn(request.headers),
      redirect: 'manual',
      ...(text === '' ? {} : { body: text }),
    });
    const reply = await honest.text();
    const exchange = { method: request.method!, path: new URL(request.url!, honestUrl).pathname, body: parse(text) };
    const answer: Answer = { status: honest.status, body: parse(reply) };
    for (const { fits, change } of answers) if (fits(exchange)) answer.body = change(answer, exchange) ?? answer.body;
    const cookies = honest.headers.getSetCookie();
    const type = honest.headers.get('content-type') ?? 'application/json';
    response.writeHead(answer.status, {
      'content-type': type,
      date: honest.headers.get('date') ?? new Date().toUTCString(),
      ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}),
    });
    if (answer.raw === undefined) response.end(typeof answer.body === 'string' ? reply : JSON.stringify(answer.body));
    else if (typeof answer.raw === 'string') response.end(answer.raw);
    else {
      for await (const chunk of answer.raw) if (!response.destroyed) response.write(chunk);
      response.end();
    }
  };
  const server = createServer((request, response) => {
    respond(request, response).catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ server, perMessageDeflate: false });
  sockets.on('connection', (socket, request) => frames.join(socket, request.url!));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answer: (route, change) => {
      const entry = { fits: routeMatcher(route), change };
      answers.add(entry);
      return () => answers.delete(entry);
    },
    deliver: frames.deliver,
    take: frames.take,
    delivered: frames.delivered,
    taken: frames.taken,
    push: frames.push,
    repent: () => {
      answers.clear();
      frames.repent();
    },
    close: async () => {
      frames.close();
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function routeMatcher(route: string): (exchange: Exchange) => boolean {
  const [method, path] = route.split(' ') as [string, string];
  const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, '[^/]+')}$`);
  return (exchange) => exchange.method === method && pattern.test(exchange.path);
}

function passOn(headers: IncomingMessage['headers']): Record<string, string> {
  const { host, connection, 'content-length': length, 'transfer-encoding': encoding, ...rest } = headers;
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, String(value)]));
}

function parse(text: string): Anything {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
