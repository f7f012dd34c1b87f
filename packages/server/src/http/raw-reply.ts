import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { type ErrorCode, toWire } from '@parley/protocol';

/** How long a client may take to read the answer and close. */
const GRACE_MS = 1_000;

/** Answers in the form of TR-7 where there is no reply object, and ends the connection: the client might never (OP-7). */
export function endWith(socket: Socket, status: number, code: ErrorCode): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = JSON.stringify(toWire({ code, requestId: randomUUID(), locale: 'en' }));
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.on('error', () => {});
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  const timer = setTimeout(() => socket.destroy(), GRACE_MS);
  socket.once('close', () => clearTimeout(timer));
}
