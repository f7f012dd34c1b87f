import type { Duplex } from 'node:stream';
import WebSocket from 'ws';
import type { Socket } from '../platform.ts';

const MAX_FRAME = 1024 * 1024;
const HANDSHAKE_MS = 10_000;

/**
 * Corks the connection so that the frames of one turn of the event loop leave as one packet. Bun has a `ws` of its own,
 * which does not show the connection; there frames leave one by one.
 */
export function openSocket(url: string): Socket {
  const socket = new WebSocket(url, {
    maxPayload: MAX_FRAME,
    handshakeTimeout: HANDSHAKE_MS,
    perMessageDeflate: false,
    followRedirects: false,
  });
  let pipe: Duplex | undefined;
  let gathering = false;
  socket.on('upgrade', (response: { socket?: Duplex | null } | null) => {
    pipe = response?.socket ?? undefined;
  });
  const send = socket.send.bind(socket) as (text: string) => void;
  const gather = (): void => {
    if (gathering || pipe === undefined) return;
    const corked = pipe;
    gathering = true;
    corked.cork();
    process.nextTick(() => {
      gathering = false;
      corked.uncork();
    });
  };
  return Object.assign(socket as unknown as Socket, {
    send(text: string) {
      gather();
      send(text);
    },
  });
}
