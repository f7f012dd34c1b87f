import type { ChatMessage } from '@parley/client';
import type { Block, Card } from '@parley/protocol';
import { displaySentence } from '../../display.ts';
import type { ChatContext } from './chat-context.ts';
import { labelOf } from './format-card.ts';
import { isYes } from './review.ts';

type Field = Extract<Block, { tag: 'input' | 'select' | 'checkbox' }>;
type Action = Extract<Block, { tag: 'action' }>;

const isField = (block: Block): block is Field => ['input', 'select', 'checkbox'].includes(block.tag);
const isAction = (block: Block): block is Action => block.tag === 'action';

/** Finds the newest card that is still unanswered. */
export function findOpenCard(messages: readonly ChatMessage[]): Card | undefined {
  const found = messages.findLast(({ payload, answer, own }) => {
    if (own || answer !== undefined || payload.type !== 'artifact' || !('blocks' in payload.artifact)) return false;
    return payload.artifact.blocks.some(isAction);
  });
  return found?.payload.type === 'artifact' && 'blocks' in found.payload.artifact ? found.payload.artifact : undefined;
}

/** Asks for each field and then for the action. Leaving a question leaves the card unchanged. */
export async function fillCard(card: Card, conversationId: string, chat: ChatContext): Promise<void> {
  const { device, screen, words } = chat;
  const filled: [string, string | boolean][] = [];
  for (const field of card.blocks.filter(isField)) {
    const value = await askField(field, chat);
    if (value === undefined) return screen.print(words.say('chat.card.left'));
    if (value !== '') filled.push([field.id, value]);
  }
  const action = await pick(card.blocks.filter(isAction), words.say('chat.card.which'), chat);
  if (action === undefined) return screen.print(words.say('chat.card.left'));
  // The agent chose the names of the fields, `__proto__` perhaps.
  const values = Object.fromEntries(filled);
  const answer = filled.length === 0 ? { action: action.id } : { action: action.id, values };
  await device.conversations.answerCard(conversationId, card.artifact_id, answer);
}

async function askField(field: Field, chat: ChatContext): Promise<string | boolean | undefined> {
  const { screen, words } = chat;
  if (field.tag === 'checkbox') {
    const answer = await screen.ask({ label: `${labelOf(field)} ${words.say('chat.yes_no')} ` });
    return answer === undefined ? undefined : answer.trim() === '' ? (field.value ?? false) : isYes(answer);
  }
  if (field.tag === 'select') {
    const options = field.options.map(({ value, label }) => ({ id: value, label }));
    return (await pick(options, labelOf(field), chat))?.id;
  }
  for (;;) {
    const initial = field.secret ? '' : (field.value ?? '');
    const answer = await screen.ask({ label: `${labelOf(field)}: `, secret: field.secret === true, initial });
    if (answer === undefined || answer !== '' || !field.required) return answer;
    screen.print(words.say('init.needed'));
  }
}

async function pick<Item extends { readonly label: string }>(
  items: readonly Item[],
  label: string,
  { screen, words, paint }: ChatContext,
): Promise<Item | undefined> {
  screen.print(items.map((item, at) => `  ${paint('bold', String(at + 1))} ${displaySentence(item.label)}`).join('\n'));
  for (;;) {
    const answer = (await screen.ask({ label: `${label} (1–${items.length}) ` }))?.trim();
    if (answer === undefined || answer === 'q') return undefined;
    const item = items[Number(answer) - 1];
    if (item !== undefined) return item;
    screen.print(words.say('chat.consent.no_such', { n: items.length }));
  }
}
