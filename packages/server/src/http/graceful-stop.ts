import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

/** Stops a server without resetting a request that it has taken (OP-10). */
export interface GracefulStop {
  /** From now on every reply asks the client not to use its connection again. */
  discourage(): void;
  /** Takes no new connections, and closes those that nothing is under way on. Running requests go on. */
  stop(): Promise<void>;
}

/** Turns of the event loop in which nobody came: then those that the system had accepted for us have been taken. */
const QUIET_TURNS = 3;
const MAX_TURNS = 100;
/** How long half of a request may wait for the rest of it. */
const REST_MS = 2_000;

/**
 * Call it before any route is added. Connections that nothing is under way on stay open for `graceMs`: a client may send
 * its next request at the very moment in which it would be closed, and would not know whether it was taken.
 */
export function createGracefulStop(app: FastifyInstance, graceMs: number): GracefulStop {
  const server = app.server as Server;
  /** Connections without a request that runs, and the bytes that their last one ended with. */
  const idle = new Map<Socket, number>();
  let accepted = 0;
  let isLeaving = false;
  let isOver = false;
  let onChange = () => {};

  server.on('connection', (socket) => {
    accepted++;
    idle.set(socket, 0);
    socket.once('close', () => {
      idle.delete(socket);
      onChange();
    });
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    onChange();
    response.once('close', () => {
      if (socket.destroyed) return;
      idle.set(socket, socket.bytesRead);
      // Its reply had begun before it could ask the client to leave.
      if (isOver) setImmediate(closeIdle);
    });
  });
  server.on('upgrade', ({ socket }) => void idle.delete(socket));
  app.addHook('onSend', async (_request, reply) => {
    if (isLeaving) reply.header('connection', 'close');
  });

  /** Node itself would close a connection whose next request is on its way, and wait for one that was never used. */
  const closeIdle = () => {
    for (const [socket, bytes] of idle) if (socket.bytesRead === bytes) socket.destroy();
  };
  const allGone = () =>
    new Promise<void>((resolve) => {
      onChange = () => {
        if (idle.size === 0) resolve();
      };
      onChange();
    });
  const discourage = () => {
    isLeaving = true;
  };
  return {
    discourage,
    stop: async () => {
      discourage();
      // The system accepts connections before we do, and resets those that are left when nobody listens any more.
      for (let quiet = 0, turns = 0; quiet < QUIET_TURNS && turns < MAX_TURNS; turns++) {
        const before = accepted;
        await turn();
        quiet = accepted === before ? quiet + 1 : 0;
      }
      // Not that of the HTTP server, which also closes connections.
      NetServer.prototype.close.call(server);
      if (graceMs > 0) await Promise.race([allGone(), sleep(graceMs)]);
      // Right after a turn whatever has arrived was read, so nothing that waits to be read is thrown away.
      await turn();
      closeIdle();
      isOver = true;
      if (idle.size > 0) await Promise.race([allGone(), sleep(REST_MS)]);
      for (const socket of idle.keys()) socket.destroy();
    },
  };
}
