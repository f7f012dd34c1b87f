import type { ClientFrame, ServerFrame } from '@parley/protocol';
import type { ApiError } from './api/api.ts';
import type { Delivered } from './opener.ts';
import type { Carrier } from './outbox.ts';
import { createPolling } from './polling.ts';
import { createRestCarrier } from './rest-carrier.ts';
import { createLine } from './socket/line.ts';
import type { Ack, MessengerOptions, PlatformEvent, Status } from './types.ts';

/** How frames come and go, in each of the three modes (EE-7). */
export interface Transport {
  readonly carrier: Carrier;
  start(): void;
  /** Of what is lost if nobody is there. */
  send(frame: ClientFrame): boolean;
  acknowledge(conversationId: string, seq: number): void;
  acknowledgeEvent(eventId: number): void;
  stop(): void;
}

/** What is done with what comes in. */
export interface Ears {
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

export function createTransport({ api, platform, identity, mode }: MessengerOptions, ears: Ears): Transport {
  if (mode === 'websocket') {
    const line = createLine({ api, platform, identity, ...ears });
    return {
      carrier: {
        isReady: line.isOpen,
        carry: ({ text }) => void line.send(`{"type":"send","envelope":${text}}`),
      },
      start: line.start,
      send: line.send,
      acknowledge: (conversation_id, seq) => void line.send({ type: 'ack', conversation_id, seq }),
      acknowledgeEvent: (event_id) => void line.send({ type: 'event.ack', event_id }),
      stop: line.stop,
    };
  }
  const carrier = createRestCarrier({ api, acknowledged: ears.onAck, refused: ears.onRefusal });
  const mute = { carrier, send: () => false, acknowledge: () => {}, acknowledgeEvent: () => {} };
  if (mode === 'webhook' || identity.kind !== 'agent') {
    return { ...mute, start: () => ears.onStatus('online'), stop: () => ears.onStatus('closed') };
  }
  return { ...mute, ...createPolling({ api, platform, agentId: identity.agentId, ...ears }) };
}
