import { createKeyedQueue } from '@parley/base';
import { conversationRoutes, type Envelope } from '@parley/protocol';
import type { Api } from '../api/api.ts';
import { ApiError, unreachable } from '../api/api-error.ts';
import type { Carrier } from '../send/outbox.ts';
import type { Ack } from '../types.ts';

interface Deps {
  readonly api: Api;
  readonly acknowledged: (ack: Ack) => void;
  readonly refused: (clientMessageId: string, error: ApiError) => void;
}

/** Sends each message in a request of its own, for modes without a socket; those of one conversation in order. */
export function createRestCarrier({ api, acknowledged, refused }: Deps): Carrier {
  const queue = createKeyedQueue();
  return {
    isReady: () => true,
    carry: ({ clientMessageId, conversationId, text }) => {
      const post = async (): Promise<void> => {
        try {
          const reply = await api.call(conversationRoutes.sendMessage, {
            params: { conversation_id: conversationId },
            body: JSON.parse(text) as Envelope,
          });
          acknowledged({ clientMessageId, messageId: reply.message_id, seq: reply.conversation_seq });
        } catch (error) {
          refused(clientMessageId, error instanceof ApiError ? error : unreachable({ cause: error }));
        }
      };
      void queue.run(conversationId, post);
    },
  };
}
