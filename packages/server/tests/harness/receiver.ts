import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDeferred } from '@parley/base';

interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** As it came over the wire. */
  readonly body: string;
}

/** The endpoint of somebody's webhook. */
export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** What the next requests are answered with; 0 never answers. */
  answer(status: number, headers?: Record<string, string>): void;
  /** Answers wait until the function that it returns is called. */
  hold(): () => void;
  close(): Promise<void>;
}

export async function startReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = [];
  let status = 200;
  let replyHeaders: Record<string, string> = {};
  let gate = Promise.resolve();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      received.push({ method, path: url, headers, body: Buffer.concat(chunks).toString('utf8') });
      void gate.then(() => {
        if (status !== 0) response.writeHead(status, replyHeaders).end('thank you');
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answer: (next, headers = {}) => {
      status = next;
      replyHeaders = headers;
    },
    hold: () => {
      const { promise, resolve } = createDeferred();
      gate = promise;
      return resolve;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
