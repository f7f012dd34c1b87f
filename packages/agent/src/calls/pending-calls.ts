import type { Platform } from '@parley/messenger';
import type { Sender, ToolResponse } from '@parley/protocol';
import { errorOf, ToolError } from './tool-error.ts';

export interface CallToWaitFor {
  readonly callId: string;
  readonly toolName: string;
  readonly conversationId: string;
  /** The person of the conversation; undefined in a group, where each person answers for themselves. */
  readonly person: string | undefined;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

interface Waiting extends CallToWaitFor {
  settle(error: unknown, result?: unknown): void;
}

/** Calls that wait for an answer (SK-3). They know nothing of connections, so a reconnect does not end them. */
export class PendingCalls {
  readonly #waiting = new Map<string, Waiting>();
  readonly #setTimer: Platform['setTimer'];
  #closed = false;

  constructor(setTimer: Platform['setTimer']) {
    this.#setTimer = setTimer;
  }

  open(call: CallToWaitFor): Promise<unknown> {
    const { callId, toolName, signal } = call;
    if (this.#closed) return Promise.reject(disconnected(call));
    return new Promise((resolve, reject) => {
      const onAbort = () => settle(signal!.reason);
      const stopTimer = this.#setTimer(
        () => settle(new ToolError({ status: 'timeout', reason: 'no_answer', callId, toolName })),
        call.timeoutMs,
      );
      const settle = (error: unknown, result?: unknown) => {
        this.#waiting.delete(callId);
        stopTimer();
        signal?.removeEventListener('abort', onAbort);
        if (error === undefined) resolve(result);
        else reject(error);
      };
      this.#waiting.set(callId, { ...call, settle });
      signal?.addEventListener('abort', onAbort);
    });
  }

  /**
   * Accepts an answer only from the person who was asked, in the same conversation: other people of the same agent may
   * know the call's id.
   */
  answer(response: ToolResponse, from: { conversationId: string; sender: Sender }): void {
    const waiting = this.#waiting.get(response.call_id);
    if (waiting === undefined || waiting.conversationId !== from.conversationId) return;
    if (from.sender.kind !== 'human' || (waiting.person !== undefined && waiting.person !== from.sender.id)) return;
    waiting.settle(errorOf(response, waiting.toolName), response.result);
  }

  fail(callId: string, error: unknown): void {
    this.#waiting.get(callId)?.settle(error);
  }

  /** Gives up all waiting calls, and accepts no more. */
  close(): void {
    this.#closed = true;
    for (const { settle, ...call } of [...this.#waiting.values()]) settle(disconnected(call));
  }
}

const disconnected = ({ callId, toolName }: CallToWaitFor) =>
  new ToolError({ status: 'error', reason: 'disconnected', callId, toolName });
