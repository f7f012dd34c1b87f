import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Allows only our own scripts and connections, and no text that becomes code. */
const POLICY = "default-src 'none'; script-src 'self'; connect-src 'self'; require-trusted-types-for 'script'";

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json',
};

export interface Site {
  readonly origin: string;
  /** The text that the page sends to `/outcome`. */
  readonly outcome: Promise<string>;
  close(): Promise<void>;
}

/** Serves `files` (path → content) under the policy, on this machine only. */
export async function serve(files: Readonly<Record<string, string>>): Promise<Site> {
  let settle: (body: string) => void;
  const outcome = new Promise<string>((resolve) => {
    settle = resolve;
  });
  const server = createServer(async (request, response) => {
    response.setHeader('content-security-policy', POLICY);
    response.setHeader('x-content-type-options', 'nosniff');
    if (request.method === 'POST' && request.url === '/outcome') {
      const body = await readBody(request);
      response.writeHead(204).end();
      settle(body);
    } else send(response, request.url ?? '', files);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, outcome, close: () => close(server) };
}

function send(response: ServerResponse, url: string, files: Readonly<Record<string, string>>): void {
  const path = url === '/' ? '/index.html' : url;
  if (!Object.hasOwn(files, path)) response.writeHead(404).end();
  else response.writeHead(200, { 'content-type': TYPES[path.slice(path.lastIndexOf('.') + 1)] }).end(files[path]);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString('utf8');
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
