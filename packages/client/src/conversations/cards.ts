import type { Block, Card, CardAnswer, Payload } from '@parley/protocol';
import type { ChatMessage } from './message.ts';

export function cardOf(payload: Payload): Card | undefined {
  if (payload.type !== 'artifact') return undefined;
  return 'blocks' in payload.artifact ? payload.artifact : undefined;
}

export function answerOf(payload: Payload): CardAnswer | undefined {
  if (payload.type !== 'artifact') return undefined;
  return 'action' in payload.artifact ? payload.artifact : undefined;
}

/**
 * Accepts an update of the same sender and kind with a higher revision; anything else changes nothing (TC-1, TC-10).
 */
export function updateCard(held: ChatMessage, update: ChatMessage): ChatMessage | undefined {
  const before = cardOf(held.payload);
  const after = cardOf(update.payload);
  if (before === undefined || after === undefined || before.artifact_id !== after.artifact_id) return undefined;
  if (held.sender.kind !== update.sender.kind || held.sender.id !== update.sender.id) return undefined;
  if (before.subtype !== after.subtype || (after.revision ?? 1) <= (before.revision ?? 1)) return undefined;
  return { ...held, payload: { type: 'artifact', artifact: after } };
}

/** Removes the values of secret fields, which are sent but not stored. */
export function withoutSecrets(answer: CardAnswer, card: Card): CardAnswer {
  const secrets = new Set(card.blocks.filter(isSecret).map((block) => block.id));
  if (answer.values === undefined || secrets.size === 0) return answer;
  return { ...answer, values: Object.fromEntries(Object.entries(answer.values).filter(([id]) => !secrets.has(id))) };
}

function isSecret(block: Block): block is Extract<Block, { tag: 'input' }> {
  return block.tag === 'input' && block.secret === true;
}
