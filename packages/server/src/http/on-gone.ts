import type { FastifyReply, FastifyRequest } from 'fastify';

const listeners = new WeakMap<object, Set<() => void>>();

/**
 * Calls the listener once the reply has left or its connection has ended, at once if that is so already. Returns a function
 * that stops it. A reply that waits behind another one of its connection is never told of its end, so that is asked as well.
 */
export function onGone(request: FastifyRequest, { raw }: FastifyReply, listener: () => void): () => void {
  const { socket } = request.raw;
  const ofSocket = listeners.get(socket) ?? new Set();
  if (!listeners.has(socket)) {
    listeners.set(socket, ofSocket);
    // One for all of its requests: each would be one more of those that Node warns of.
    socket.once('close', () => {
      for (const end of [...ofSocket]) end();
    });
  }
  const stop = () => {
    ofSocket.delete(end);
    raw.off('close', end);
  };
  const end = () => {
    stop();
    listener();
  };
  if (raw.destroyed || raw.closed || socket.destroyed) listener();
  else {
    ofSocket.add(end);
    raw.once('close', end);
  }
  return stop;
}
