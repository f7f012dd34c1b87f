import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { readAcceptLanguage } from '@parley/base';
import { CLOSE_CODES, MAX_ENVELOPE_BYTES } from '@parley/protocol';
import type { FastifyInstance } from 'fastify';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Auth } from '../auth/index.ts';
import type { Conversations } from '../conversations/index.ts';
import { keyOf } from '../events/bus.ts';
import { accountOf } from '../http/caller.ts';
import { clientAddress, createProxyCheck } from '../http/client-address.ts';
import type { Intake } from '../http/intake.ts';
import { networkOf } from '../http/network-of.ts';
import type { Platform } from '../platform.ts';
import type { Presence } from '../presence/index.ts';
import { createAccountShares } from './account-shares.ts';
import { type Connection, createConnection, type Joined, type Subscriptions } from './connection.ts';
import type { SocketEndpoint, SocketIdentity } from './identity.ts';
import { refuseUpgrade } from './wire.ts';

export interface Sockets {
  /** Announces the end to every socket and closes them. */
  close(): Promise<void>;
}

const TICK_MS = 1_000;
const LEAVE_MS = 5_000;
const MAX_FRAME = MAX_ENVELOPE_BYTES + 4 * 1024;
/** The most sockets of one person or agent, on one node. How many an account has is a budget. */
const MAX_SOCKETS = 20;
/** What waits to be read by all sockets of an account. */
const MAX_WAITING = 32 * 1024 * 1024;
/** What it costs to pass a frame on to a socket, besides its bytes. */
const OVERHEAD = 512;
/** The most unauthenticated sockets, those of one network, and what each of them may send. */
const MAX_UNKNOWN = 2_000;
const MAX_UNKNOWN_OF_NETWORK = 1_000;
const MAX_UNKNOWN_BYTES = 64 * 1024;

export function attachSockets(
  app: FastifyInstance,
  platform: Platform,
  deps: {
    readonly auth: Auth;
    readonly conversations: Conversations;
    readonly presence: Presence;
    readonly intake: Intake;
  },
): Sockets {
  const { conversations } = deps;
  // A compression window would cost each idle socket hundreds of kilobytes, and ciphertext does not compress.
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME, perMessageDeflate: false });
  const connections = new Set<Connection>();
  const byKey = new Map<string, Set<Connection>>();
  const unknown = new Set<WebSocket>();
  const unknownByNetwork = new Map<string, Set<WebSocket>>();
  const isProxy = createProxyCheck(platform.config.trustedProxies);
  let closing = false;

  const { budgets } = platform;
  const shares = createAccountShares({
    limitOf: (account) => budgets.limitOf(account, 'sockets'),
    maxWaiting: MAX_WAITING,
    hold: budgets.holdSocket,
  });
  const chargeCopies = (account: string, bytes: number, copies: number): void => {
    if (copies > 0) budgets.charge(account, { bytes_passed_on_per_second: copies * (bytes + OVERHEAD) });
  };

  const stopListening = conversations.relay.onStored(({ message, account, recipients }) => {
    // Whoever is over it was not so when the message came. It is read by its recipients, in their turns.
    const isPushed = !budgets.isOver(account, 'bytes_passed_on_per_second');
    let copies = 0;
    for (const key of recipients) {
      const connections = byKey.get(key);
      if (connections === undefined) continue;
      // A socket that reads it later gets as many bytes.
      copies += connections.size;
      if (isPushed) for (const connection of connections) connection.offer(message);
    }
    chargeCopies(account, message.envelope.length, copies);
  });
  const timer = setInterval(() => {
    for (const connection of connections) connection.tick();
  }, TICK_MS);
  timer.unref();

  const noteRefusal = (limit: string, client: string, details?: object): void => {
    platform.metrics.refusals.inc({ limit });
    platform.logRefusal({ limit, client }, details);
  };
  const recordConnection = (caller: SocketIdentity['caller'], type: 'connection.opened' | 'connection.closed') => {
    if (caller.kind === 'agent')
      platform.agentEvents.record(caller.agentId, { type, via: 'socket', token_id: caller.tokenId });
  };
  const join = (connection: Connection, { caller }: SocketIdentity, subscriptions: Subscriptions): Joined => {
    const account = accountOf(caller);
    const share = shares.enter(account, {
      replace: () => connection.close(CLOSE_CODES.replaced),
      cutOff: connection.cutOff,
    });
    const key = caller.kind === 'human' ? keyOf.human(caller.accountId) : keyOf.agent(caller.agentId);
    const mine = byKey.get(key) ?? new Set();
    byKey.set(key, mine);
    mine.add(connection);
    platform.metrics.sockets.inc({ kind: caller.kind });
    recordConnection(caller, 'connection.opened');
    // The oldest is closed: after a change of network nobody reads it any more. It is removed at once, because closing
    // may take time.
    if (mine.size > MAX_SOCKETS) {
      const oldest = mine.values().next().value!;
      mine.delete(oldest);
      oldest.close(CLOSE_CODES.replaced);
    }
    const stops = [platform.bus.listen(key, subscriptions.wake), platform.bus.subscribe(key, subscriptions.text)];
    if (caller.kind === 'human')
      stops.push(platform.bus.listen(keyOf.session(caller.sessionId), subscriptions.recheck));
    const leave = () => {
      share.leave();
      platform.metrics.sockets.dec({ kind: caller.kind });
      recordConnection(caller, 'connection.closed');
      mine.delete(connection);
      if (mine.size === 0 && byKey.get(key) === mine) byKey.delete(key);
      for (const stop of stops) stop();
    };
    return { leave, noteWaiting: share.note, chargeCopies: (bytes, copies) => chargeCopies(account, bytes, copies) };
  };

  const accept = (
    socket: WebSocket,
    raw: Duplex,
    { endpoint, request }: { endpoint: SocketEndpoint; request: IncomingMessage },
  ) => {
    const client = clientAddress(request, isProxy);
    const network = networkOf(client);
    const neighbours = unknownByNetwork.get(network) ?? new Set();
    // An honest client has signed in long before it is the oldest of so many.
    const isFull = unknown.size >= MAX_UNKNOWN;
    const crowd = neighbours.size >= MAX_UNKNOWN_OF_NETWORK ? neighbours : isFull ? unknown : undefined;
    if (crowd !== undefined) {
      noteRefusal('unknown_sockets', client);
      crowd.values().next().value!.terminate();
    }
    unknown.add(socket);
    unknownByNetwork.set(network, neighbours.add(socket));
    let bytes = 0;
    const count = (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= MAX_UNKNOWN_BYTES) return;
      noteRefusal('unknown_sockets', client);
      raw.destroy();
    };
    const forgetUnknown = () => {
      unknown.delete(socket);
      neighbours.delete(socket);
      if (neighbours.size === 0 && unknownByNetwork.get(network) === neighbours) unknownByNetwork.delete(network);
      raw.off('data', count);
    };
    raw.on('data', count);
    const connection = createConnection(
      { platform, ...deps },
      {
        socket,
        endpoint,
        client,
        stream: raw,
        locale: readAcceptLanguage(request.headers['accept-language']),
        onAuthenticated: (self, identity, subscriptions) => {
          forgetUnknown();
          return join(self, identity, subscriptions);
        },
      },
    );
    connections.add(connection);
    socket.on('close', () => {
      connections.delete(connection);
      forgetUnknown();
    });
  };

  app.server.on('upgrade', (request, raw, head) => {
    const endpoint = readEndpoint(request);
    const refuse = (status: number) => {
      noteRefusal('upgrades', clientAddress(request, isProxy), { status });
      refuseUpgrade(raw, status);
    };
    if (closing) return refuseUpgrade(raw, 503);
    if (endpoint === undefined) return refuse(404);
    if (endpoint.kind === 'human' && !isOwnOrigin(request.headers.origin, platform)) return refuse(403);
    server.handleUpgrade(request, raw, head, (socket) => accept(socket, raw, { endpoint, request }));
  });

  return {
    close: async () => {
      closing = true;
      clearInterval(timer);
      stopListening();
      const deadline = new Promise((resolve) => setTimeout(resolve, LEAVE_MS).unref());
      await Promise.race([Promise.all([...connections].map((connection) => connection.leave())), deadline]);
      await Promise.race([new Promise<void>((resolve) => server.close(() => resolve())), deadline]);
      for (const socket of server.clients) socket.terminate();
    },
  };
}

const BASE = 'http://localhost';

function readEndpoint({ url = '/', method }: IncomingMessage): SocketEndpoint | undefined {
  // A target such as `//` is not a URL, and an exception here would end the process.
  if (method !== 'GET' || !URL.canParse(url, BASE)) return undefined;
  const { pathname, searchParams } = new URL(url, BASE);
  if (pathname === '/ws/human') return { kind: 'human' };
  const agentId = searchParams.get('agent_id');
  return pathname === '/ws/agent' && agentId !== null ? { kind: 'agent', agentId } : undefined;
}

/**
 * A page of another site must not open a person's socket. Programs send no Origin. In development the page may come from
 * another port of this machine.
 */
function isOwnOrigin(origin: string | undefined, { config }: Platform): boolean {
  if (origin === undefined || origin === new URL(config.publicUrl).origin) return true;
  if (!config.development || !URL.canParse(origin)) return false;
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(origin).hostname);
}
