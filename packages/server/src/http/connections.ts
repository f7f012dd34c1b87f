import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { type IsProxy, readAddress } from './client-address.ts';
import { networkOf } from './network-of.ts';

interface ConnectionLimits {
  /** All connections of this node. */
  readonly max: number;
  /** Connections of one network. Those of a trusted proxy are of many people, and only count for `max`. */
  readonly perNetwork: number;
  readonly isProxy: IsProxy;
  /** Told of each connection that is closed for lack of room, with its address. */
  readonly onClosed: (address: string) => void;
}

/**
 * Keeps room for newcomers (OP-7). A connection that asks for more room than there is takes that of the one that has
 * waited longest without a whole request: an honest client has sent its own long before. If none waits, it takes that of
 * the one that has read nothing of its answer for longest. Where there is none either, it is closed itself, unanswered as
 * Node does it: answers would need room, too.
 */
export function limitConnections(server: Server, { max, perNetwork, isProxy, onClosed }: ConnectionLimits): void {
  const networks = new Map<string, Set<Socket>>();
  /** Without a request that is being answered; the oldest first. */
  const waiting = new Set<Socket>();
  /** With such requests, and how many; in front those whose client has read nothing for longest. */
  const busy = new Map<Socket, number>();
  /** What to undo when a connection ends. */
  const known = new Map<Socket, () => void>();

  const forget = (socket: Socket) => {
    known.get(socket)?.();
    known.delete(socket);
  };
  const close = (socket: Socket) => {
    onClosed(readAddress(socket));
    // Its end is heard of later, and the next newcomer must not choose it again.
    forget(socket);
    socket.destroy();
  };
  const evict = (among: ReadonlySet<Socket> | undefined): boolean => {
    const isAmong = (socket: Socket) => among?.has(socket) ?? true;
    const oldest = find(among ?? waiting, (socket) => waiting.has(socket));
    const evicted = oldest ?? find(busy.keys(), (socket) => isAmong(socket) && socket.writableLength > 0);
    if (evicted !== undefined) close(evicted);
    return evicted !== undefined;
  };
  const makeRoom = (network: string | undefined): boolean => {
    const own = network === undefined ? undefined : networks.get(network);
    if (own !== undefined && own.size >= perNetwork) return evict(own);
    return known.size < max || evict(undefined);
  };
  const begin = (socket: Socket) => {
    if (!known.has(socket)) return;
    waiting.delete(socket);
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
  };
  /** Something was read: it goes to the end. */
  const renew = (socket: Socket, requests: number | undefined) => {
    if (!busy.delete(socket)) return;
    if (requests === 0) waiting.add(socket);
    else busy.set(socket, requests!);
  };

  server.on('connection', (socket: Socket) => {
    const address = readAddress(socket);
    const network = isProxy(address) ? undefined : networkOf(address);
    if (!makeRoom(network)) {
      close(socket);
      return;
    }
    waiting.add(socket);
    if (network !== undefined) networks.set(network, (networks.get(network) ?? new Set()).add(socket));
    known.set(socket, () => {
      waiting.delete(socket);
      busy.delete(socket);
      const own = network === undefined ? undefined : networks.get(network);
      own?.delete(socket);
      if (own?.size === 0) networks.delete(network!);
    });
    socket.on('drain', () => renew(socket, busy.get(socket)));
    socket.once('close', () => forget(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    let isWhole = !hasBody(request);
    if (isWhole) begin(socket);
    else {
      request.once('end', () => {
        // Whoever is refused before the body was read is answered first, and nothing is under way after that.
        if (response.closed) return;
        isWhole = true;
        begin(socket);
      });
    }
    response.once('close', () => {
      if (isWhole) renew(socket, (busy.get(socket) ?? 1) - 1);
    });
  });
  server.on('upgrade', ({ socket }) => {
    waiting.delete(socket);
    busy.delete(socket);
  });
}

function find(sockets: Iterable<Socket>, isIt: (socket: Socket) => boolean): Socket | undefined {
  for (const socket of sockets) if (isIt(socket)) return socket;
  return undefined;
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
