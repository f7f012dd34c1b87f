import type { ClientFrame, ServerFrame } from '@parley/protocol';
import type { ApiError } from '../api/api-error.ts';
import type { Delivered } from '../encryption/opener.ts';
import type { Carrier } from '../send/outbox.ts';
import type { Ack, MessengerOptions, PlatformEvent, Status } from '../types.ts';
import { createPolling } from './polling.ts';
import { createReconnectingSocket } from './reconnecting-socket.ts';
import { createRestCarrier } from './rest-carrier.ts';

/** Sends and receives frames in one of the three modes (EE-7). */
export interface Transport {
  readonly carrier: Carrier;
  start(): void;
  /** Sends a transient frame; false if it was lost because there is no connection. */
  send(frame: ClientFrame): boolean;
  acknowledge(conversationId: string, seq: number): void;
  acknowledgeEvent(eventId: number): void;
  stop(): void;
}

/** Called with what arrives. */
export interface TransportHandlers {
  readonly resume: () => ClientFrame;
  readonly saved: () => Promise<void>;
  readonly onOpen: () => void;
  readonly onLost: () => void;
  readonly onFrame: (frame: ServerFrame) => void;
  readonly onMessage: (message: Delivered) => Promise<unknown>;
  readonly onEvent: (event: PlatformEvent) => void;
  readonly onAck: (ack: Ack) => void;
  readonly onRefusal: (clientMessageId: string, error: ApiError) => void;
  readonly onStatus: (status: Status) => void;
  readonly onError: (error: unknown) => void;
}

export function createTransport(
  { api, platform, identity, mode }: MessengerOptions,
  handlers: TransportHandlers,
): Transport {
  if (mode === 'websocket') {
    const socket = createReconnectingSocket({ api, platform, identity, ...handlers });
    return {
      carrier: {
        isReady: socket.isOpen,
        carry: ({ text }) => void socket.send(`{"type":"send","envelope":${text}}`),
      },
      start: socket.start,
      send: socket.send,
      acknowledge: (conversation_id, seq) => void socket.send({ type: 'ack', conversation_id, seq }),
      acknowledgeEvent: (event_id) => void socket.send({ type: 'event.ack', event_id }),
      stop: socket.stop,
    };
  }
  const carrier = createRestCarrier({ api, acknowledged: handlers.onAck, refused: handlers.onRefusal });
  const mute = { carrier, send: () => false, acknowledge: () => {}, acknowledgeEvent: () => {} };
  if (mode === 'webhook' || identity.kind !== 'agent') {
    return { ...mute, start: () => handlers.onStatus('online'), stop: () => handlers.onStatus('closed') };
  }
  return { ...mute, ...createPolling({ api, platform, agentId: identity.agentId, ...handlers }) };
}
