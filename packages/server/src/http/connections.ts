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
}

/**
 * Keeps room for newcomers (OP-7). A connection that asks for more room than there is takes that of the one that has
 * waited longest without a whole request: an honest client has sent its own long before. Where there is none, it is
 * closed itself, unanswered as Node does it: answers would need room, too.
 */
export function limitConnections(server: Server, { max, perNetwork, isProxy }: ConnectionLimits): void {
  const networks = new Map<string, Set<Socket>>();
  const waiting = new Set<Socket>();
  /** What to undo when a connection ends. */
  const known = new Map<Socket, () => void>();

  const forget = (socket: Socket) => {
    known.get(socket)?.();
    known.delete(socket);
  };
  const evictOldest = (sockets: Iterable<Socket>): boolean => {
    for (const socket of sockets) {
      if (!waiting.has(socket)) continue;
      // Its end is heard of later, and the next newcomer must not choose it again.
      forget(socket);
      socket.destroy();
      return true;
    }
    return false;
  };
  const makeRoom = (network: string | undefined): boolean => {
    const own = network === undefined ? undefined : networks.get(network);
    if (own !== undefined && own.size >= perNetwork) return evictOldest(own);
    return known.size < max || evictOldest(waiting);
  };

  server.on('connection', (socket: Socket) => {
    const address = readAddress(socket);
    const network = isProxy(address) ? undefined : networkOf(address);
    if (!makeRoom(network)) {
      socket.destroy();
      return;
    }
    waiting.add(socket);
    if (network !== undefined) networks.set(network, (networks.get(network) ?? new Set()).add(socket));
    known.set(socket, () => {
      waiting.delete(socket);
      const own = network === undefined ? undefined : networks.get(network);
      own?.delete(socket);
      if (own?.size === 0) networks.delete(network!);
    });
    socket.once('close', () => forget(socket));
  });
  server.on('request', (request, response) => {
    const { socket } = request;
    if (hasBody(request)) request.once('end', () => waiting.delete(socket));
    else waiting.delete(socket);
    response.once('close', () => {
      if (known.has(socket)) waiting.add(socket);
    });
  });
  server.on('upgrade', ({ socket }) => void waiting.delete(socket));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
