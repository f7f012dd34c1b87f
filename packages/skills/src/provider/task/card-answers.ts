import type { CardAnswer } from '@parley/protocol';

/** The part of an agent's events that is used here. */
export interface TaskEvent {
  readonly type: string;
  readonly conversation_id?: string;
  readonly artifact?: unknown;
}

const PREFIX = 'task-';
const MAX_HELD = 256;

export const cardOf = (executionId: string): string => `${PREFIX}${executionId}`;

/**
 * Collects answers to cards, by card. One that comes before anyone waits for it, as after a restart, is kept for a
 * while.
 */
export class CardAnswers {
  readonly #conversationId: string;
  readonly #held = new Map<string, CardAnswer[]>();
  readonly #waiting = new Map<string, (answer: CardAnswer) => void>();

  constructor(conversationId: string) {
    this.#conversationId = conversationId;
  }

  take(event: TaskEvent): void {
    // Only people can answer a card: the messenger accepts that label from no other sender.
    if (event.type !== 'artifact_response' || event.conversation_id !== this.#conversationId) return;
    const answer = event.artifact as CardAnswer;
    if (!('action' in answer) || !answer.artifact_id.startsWith(PREFIX)) return;
    const waiting = this.#waiting.get(answer.artifact_id);
    if (waiting !== undefined) {
      waiting(answer);
      return;
    }
    this.#held.set(answer.artifact_id, [...(this.#held.get(answer.artifact_id) ?? []), answer].slice(-4));
    if (this.#held.size > MAX_HELD) this.#held.delete(this.#held.keys().next().value!);
  }

  /** Rejects with the signal's reason. */
  next(artifactId: string, signal: AbortSignal): Promise<CardAnswer> {
    const held = this.#held.get(artifactId);
    const first = held?.shift();
    if (first !== undefined) return Promise.resolve(first);
    this.#held.delete(artifactId);
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.#waiting.delete(artifactId);
        reject(signal.reason);
      };
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      this.#waiting.set(artifactId, (answer) => {
        signal.removeEventListener('abort', stop);
        this.#waiting.delete(artifactId);
        resolve(answer);
      });
    });
  }
}
