import type { ClientFrame, Envelope, ServerFrame } from '@parley/protocol';
import { consumerOf } from '../conversations/consumer.ts';
import type { Conversations } from '../conversations/index.ts';
import { type AgentCaller, type Human, requireHuman } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Delivery } from './delivery.ts';
import type { TransientRelay } from './transient.ts';

export interface HandlerDeps {
  readonly conversations: Conversations;
  readonly caller: () => Human | AgentCaller;
  readonly send: (frame: ServerFrame) => void;
  readonly renew: (token: string) => Promise<void>;
  readonly delivery: Delivery;
  readonly transient: TransientRelay;
}

type Handlers = {
  readonly [Name in ClientFrame['type']]: (frame: Extract<ClientFrame, { type: Name }>) => Promise<void> | void;
};

/** Handles the frames of a socket that is authenticated. */
export function createHandler(deps: HandlerDeps): (frame: ClientFrame) => Promise<void> | void {
  const { conversations, caller, send, renew, delivery, transient } = deps;

  const sendMessage = async (envelope: Envelope): Promise<void> => {
    const conversationId = envelope.header.conversation_id;
    const ack = await conversations.relay.send(caller(), { conversationId, envelope });
    send({ type: 'message.ack', ...ack });
  };

  const handlers: Handlers = {
    auth: () => Promise.reject(new RequestError('BAD_REQUEST')),
    'auth.renew': ({ token }) => renew(token),
    resume: async ({ conversations: positions = {}, event_id }) => {
      delivery.resume({ conversations: new Map(Object.entries(positions)), eventId: event_id });
    },
    send: ({ envelope }) => sendMessage(envelope),
    ack: ({ conversation_id, seq }) => conversations.cursors.move(consumerOf(caller()), conversation_id, seq),
    claim: async ({ message_id, conversation_id: conversationId }) => {
      const human = requireHuman(caller());
      const holder = await conversations.claims.claim(human, { messageId: message_id, conversationId });
      send({ type: 'claim.result', message_id, claimed: holder === human.deviceId });
    },
    pass: async ({ message_id, conversation_id: conversationId }) => {
      const last = await conversations.claims.pass(requireHuman(caller()), { messageId: message_id, conversationId });
      send({ type: 'pass.result', message_id, last });
    },
    'event.ack': ({ event_id }) => conversations.cursors.moveEvents(consumerOf(caller()), event_id),
    typing: transient.relay,
    'stream.start': transient.relay,
    'stream.delta': transient.relay,
    'stream.done': transient.relay,
    'stream.abort': transient.relay,
    'stream.error': transient.relay,
    ping: () => send({ type: 'pong' }),
  };
  return (frame) => handlers[frame.type](frame as never);
}
