import { createDeferred, type Deferred } from '@parley/base';
import type { ClientFrame, ServerFrame } from '@parley/protocol';
import type { ApiError } from '../api/api-error.ts';

type Question = 'claim' | 'pass';
interface Asked extends Deferred<boolean> {
  readonly frame: Extract<ClientFrame, { type: Question }>;
}

/** Claims and passes over the socket (CG-11). They are asked again after a reconnect, and the server repeats its answer. */
export interface Claims {
  ask(type: Question, message: { readonly messageId: string; readonly conversationId: string }): Promise<boolean>;
  settle(frame: ServerFrame, error?: ApiError): void;
  askAgain(): void;
  stop(error: Error): void;
}

export function createClaims(send: (frame: ClientFrame) => boolean): Claims {
  const asked = new Map<string, Asked>();
  const takeOut = (name: string): Asked | undefined => {
    const question = asked.get(name);
    asked.delete(name);
    return question;
  };
  return {
    ask: (type, { messageId, conversationId }) => {
      const name = `${type} ${messageId}`;
      const known = asked.get(name);
      if (known !== undefined) return known.promise;
      const frame = { type, message_id: messageId, conversation_id: conversationId } as const;
      const question = { ...createDeferred<boolean>(), frame };
      asked.set(name, question);
      send(frame);
      return question.promise;
    },
    settle: (frame, error) => {
      if (frame.type === 'claim.result') takeOut(`claim ${frame.message_id}`)?.resolve(frame.claimed);
      else if (frame.type === 'pass.result') takeOut(`pass ${frame.message_id}`)?.resolve(frame.last);
      else if (frame.type === 'error' && frame.message_id !== undefined) {
        for (const type of ['claim', 'pass'] as const) takeOut(`${type} ${frame.message_id}`)?.reject(error);
      }
    },
    askAgain: () => {
      for (const { frame } of asked.values()) send(frame);
    },
    stop: (error) => {
      for (const { reject } of asked.values()) reject(error);
      asked.clear();
    },
  };
}
