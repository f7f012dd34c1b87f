import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ServedSkill } from './serve.ts';

export { createPostgresStore, type PostgresStoreOptions } from './postgres/store.ts';

/** The connection stays open for this long, so that a client that is still sending reads the answer. */
const LINGER_MS = 1_000;

export interface ListenOptions {
  readonly port: number;
  /** By default this machine only: TLS belongs to a proxy in front of it. */
  readonly host?: string;
}

export interface Listening {
  readonly url: string;
  /** Answers the open requests, then closes the skill as well. */
  close(): Promise<void>;
}

/** Serves a skill with Node's own HTTP server. */
export async function listen(skill: ServedSkill, { port, host = '127.0.0.1' }: ListenOptions): Promise<Listening> {
  const server = createServer((incoming, response) => void exchange(skill, incoming, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, host, resolve);
  });
  const { port: given } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${given}`,
    close: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeIdleConnections();
      await skill.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function exchange(skill: ServedSkill, incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const answer = await skill.fetch(toRequest(incoming), { address: incoming.socket.remoteAddress ?? '' });
    const body = Buffer.from(await answer.arrayBuffer());
    const headers = { ...Object.fromEntries(answer.headers), 'content-length': body.length };
    const unread = hasBody(incoming) && !incoming.readableEnded;
    response.writeHead(answer.status, unread ? { ...headers, connection: 'close' } : headers);
    response.end(incoming.method === 'HEAD' ? undefined : body);
    if (unread) response.once('finish', () => setTimeout(() => incoming.destroy(), LINGER_MS).unref());
  } catch {
    // No Request can be made of this request line or these headers.
    if (!response.headersSent) response.writeHead(400);
    response.end();
  }
}

const hasBody = ({ method, headers }: IncomingMessage): boolean =>
  method !== 'GET' &&
  method !== 'HEAD' &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0);

function toRequest(incoming: IncomingMessage): Request {
  const { method = 'GET', url = '/', headersDistinct } = incoming;
  const headers = new Headers();
  for (const [name, values] of Object.entries(headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value);
  }
  // Only the path is used, so that no Host header can change the address.
  return new Request(new URL(url.startsWith('/') ? `http://localhost${url}` : url), {
    method,
    headers,
    ...(hasBody(incoming) ? { body: toStream(incoming), duplex: 'half' } : {}),
  } as RequestInit);
}

/** Node's own conversion would close the connection before the refusal is written. */
function toStream(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  let dropped = false;
  return new ReadableStream<Uint8Array>({
    start: (controller) => {
      incoming.pause();
      incoming.on('data', (chunk: Buffer) => {
        if (dropped) return;
        controller.enqueue(chunk);
        incoming.pause();
      });
      incoming.on('end', () => dropped || controller.close());
      incoming.on('error', (error) => dropped || controller.error(error));
    },
    pull: () => void incoming.resume(),
    cancel: () => {
      dropped = true;
      incoming.resume();
    },
  });
}
