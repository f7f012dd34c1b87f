import { createDeferred, type Deferred } from '@parley/base';
import type { ClientFrame, ServerFrame } from '@parley/protocol';
import type { ApiError } from '../api/api-error.ts';

type Question = 'claim' | 'pass';
interface PendingClaim extends Deferred<boolean> {
  readonly frame: Extract<ClientFrame, { type: Question }>;
}

/**
 * Sends claims and passes over the socket (CG-11), and sends them again after a reconnect; the server repeats its
 * answer.
 */
export interface Claims {
  ask(type: Question, message: { readonly messageId: string; readonly conversationId: string }): Promise<boolean>;
  settle(frame: ServerFrame, error?: ApiError): void;
  resend(): void;
  stop(error: Error): void;
}

export function createClaims(send: (frame: ClientFrame) => boolean): Claims {
  const pending = new Map<string, PendingClaim>();
  const take = (name: string): PendingClaim | undefined => {
    const question = pending.get(name);
    pending.delete(name);
    return question;
  };
  return {
    ask: (type, { messageId, conversationId }) => {
      const name = `${type} ${messageId}`;
      const known = pending.get(name);
      if (known !== undefined) return known.promise;
      const frame = { type, message_id: messageId, conversation_id: conversationId } as const;
      const question = { ...createDeferred<boolean>(), frame };
      pending.set(name, question);
      send(frame);
      return question.promise;
    },
    settle: (frame, error) => {
      if (frame.type === 'claim.result') take(`claim ${frame.message_id}`)?.resolve(frame.claimed);
      else if (frame.type === 'pass.result') take(`pass ${frame.message_id}`)?.resolve(frame.last);
      else if (frame.type === 'error' && frame.message_id !== undefined) {
        for (const type of ['claim', 'pass'] as const) take(`${type} ${frame.message_id}`)?.reject(error);
      }
    },
    resend: () => {
      for (const { frame } of pending.values()) send(frame);
    },
    stop: (error) => {
      for (const { reject } of pending.values()) reject(error);
      pending.clear();
    },
  };
}
