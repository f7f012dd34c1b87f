import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { isId, type Locale } from '@parley/base';
import { parseJson } from '@parley/documents';
import { AUTH_REASONS, type AuthReason, type ServerFrame, toWire } from '@parley/protocol';
import type { RawData } from 'ws';
import { RequestError } from '../http/request-error.ts';
import { isDatabaseOutage, isDiskFailure } from '../storage/outage.ts';

/** Answers an upgrade in HTTP and closes the connection: nothing else would, and the client might never do so. */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.on('error', () => {});
  const head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`;
  socket.end(head, () => socket.destroy());
}

/** Returns undefined for what is not strict JSON. */
export function parseFrame(data: RawData, isBinary: boolean): unknown {
  if (isBinary) return undefined;
  const parsed = parseJson(data as Buffer, { maxDepth: 32 });
  return parsed.ok ? parsed.value : undefined;
}

export function authError(reason: AuthReason, locale: Locale): ServerFrame {
  return { type: 'auth.error', reason, message: AUTH_REASONS[reason][locale], i18n_key: `auth.${reason}` };
}

/** Makes the error frame of a socket (TR-7). Any other error is internal, and its details are not sent. */
export function errorFrame(error: unknown, locale: Locale, about: About) {
  const { code, params } =
    error instanceof RequestError
      ? error
      : new RequestError(isDatabaseOutage(error) || isDiskFailure(error) ? 'UNAVAILABLE' : 'INTERNAL');
  const { request_id: _, ...wire } = toWire({ code, params, requestId: '', locale }).error;
  return { type: 'error', ...wire, ...about } satisfies ServerFrame;
}

/** Finds the message or conversation that a frame is about, valid or not, as far as it can be read. */
export function aboutFrame(frame: unknown): About {
  const { envelope, conversation_id: conversation, message_id: id } = (frame ?? {}) as Loose;
  const message = envelope?.header?.client_message_id;
  return {
    ...(typeof message === 'string' && MESSAGE_ID.test(message) ? { client_message_id: message } : {}),
    ...(typeof conversation === 'string' && isId(conversation) ? { conversation_id: conversation } : {}),
    ...(typeof id === 'string' && isId(id) ? { message_id: id } : {}),
  };
}

const MESSAGE_ID = /^[A-Za-z0-9_-]{1,64}$/;

interface Loose {
  readonly envelope?: { readonly header?: { readonly client_message_id?: unknown } };
  readonly conversation_id?: unknown;
  readonly message_id?: unknown;
}
interface About {
  client_message_id?: string;
  conversation_id?: string;
  message_id?: string;
}
