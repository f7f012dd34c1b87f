import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createDeferred } from '@parley/base';

export interface LoopbackReceiver {
  readonly redirectUri: string;
  /** The query of the first redirect that brings the right state. */
  readonly redirect: Promise<URLSearchParams>;
  close(): void;
}

const DONE = ['You can close this page.', '您可以关闭此页面。'];
const PAGE = `<!doctype html><meta charset="utf-8"><title>Parley</title><p>${DONE.join(' ')}`;

/** Waits on this machine for the browser to come back from the authorization server (RFC 8252, section 7.3). */
export async function receiveRedirect(state: string, port = 0): Promise<LoopbackReceiver> {
  const { promise: redirect, resolve: settle } = createDeferred<URLSearchParams>();
  const server = createServer((request, response) => {
    const found = readRedirect(request, state);
    answer(response, found === undefined ? 404 : 200);
    if (found !== undefined) settle(found);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const redirectUri = `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { redirectUri, redirect, close };
}

/** Nothing of the request is put in the page, and whoever does not know the state learns nothing. */
function answer(response: ServerResponse, status: number): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    connection: 'close',
  });
  response.end(status === 200 ? PAGE : '');
}

function readRedirect({ method, url = '' }: IncomingMessage, state: string): URLSearchParams | undefined {
  // Anyone on this machine, and any page in its browser, can ask for anything.
  if (!URL.canParse(url, 'http://127.0.0.1')) return undefined;
  const target = new URL(url, 'http://127.0.0.1');
  if (method !== 'GET' || target.pathname !== '/callback') return undefined;
  const given = target.searchParams.getAll('state');
  return given.length === 1 && isEqual(given[0]!, state) ? target.searchParams : undefined;
}

function isEqual(a: string, b: string): boolean {
  const [one, two] = [Buffer.from(a), Buffer.from(b)];
  return one.length === two.length && timingSafeEqual(one, two);
}
