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
  return {
    ...held,
    ...withoutNewSecrets(held, after),
    payload: { type: 'artifact', artifact: after },
    revisedAt: update.createdAt,
  };
}

/** One state of a card, as the agent sent it. */
export interface CardRevision {
  readonly card: Card;
  readonly createdAt: string;
}

export function revisionOf({ payload, createdAt, revisedAt }: ChatMessage): CardRevision | undefined {
  const card = cardOf(payload);
  return card && { card, createdAt: revisedAt ?? createdAt };
}

/** What the person did with a card, as far as it is kept. */
export function noteAnswer(held: ChatMessage, { action, values }: CardAnswer, answeredAt: string): ChatMessage {
  const times = (held.answer?.times ?? (held.answer === undefined ? 0 : 1)) + 1;
  return { ...held, answer: { action, ...(values === undefined ? {} : { values }), answeredAt, times } };
}

/**
 * What is kept of an answer: the values of fields that are in one of the cards, and secret in none. These are all
 * revisions of the card, for the answer may be to an earlier one; of a card that nobody knows, nothing is kept (WC-23).
 */
export function withoutSecrets(answer: CardAnswer, cards: readonly Card[]): CardAnswer {
  if (answer.values === undefined) return answer;
  const fields = cards.flatMap(({ blocks }) => blocks).filter((block) => 'id' in block);
  const open = new Set(fields.map(({ id }) => id));
  for (const field of fields.filter(isSecret)) open.delete(field.id);
  return { ...answer, values: Object.fromEntries(Object.entries(answer.values).filter(([id]) => open.has(id))) };
}

/** A field that becomes secret takes with it what was answered before it was. */
function withoutNewSecrets({ answer }: ChatMessage, card: Card): Pick<ChatMessage, 'answer'> {
  if (answer?.values === undefined) return {};
  const secrets = new Set(card.blocks.filter(isSecret).map(({ id }) => id));
  const values = Object.fromEntries(Object.entries(answer.values).filter(([id]) => !secrets.has(id)));
  return { answer: { ...answer, values } };
}

function isSecret(block: Block): block is Extract<Block, { tag: 'input' }> {
  return block.tag === 'input' && block.secret === true;
}
