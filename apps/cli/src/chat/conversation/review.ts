import type { RelationView } from '@parley/client';
import { isChanged } from './add-agent.ts';
import type { ChatContext } from './chat-context.ts';
import { chooseScopes } from './choose-scopes.ts';

/** Shows what changed, then asks for each scope again (RL-9). By default nothing is accepted. */
export async function reviewAgent(relation: RelationView, chat: ChatContext): Promise<void> {
  const { device, screen, words, paint } = chat;
  if (relation.needsSignature) await signAgain(relation, chat);
  for (;;) {
    const review = await device.relations.review(relation.relationId);
    const { pending, manifestHash, text, mode, agentName } = review;
    if (pending.length === 0) {
      screen.print(words.say('chat.review.nothing'));
      return;
    }
    screen.print(`${paint('bold', words.say('chat.review.title', { agent: agentName }))}\n${text}`);
    if (mode !== undefined) screen.print(paint('yellow', words.say('chat.review.weaker')));
    const scopes = pending.map(({ id, label, level }) => ({ id, label, level, required: false }));
    const chosen = await chooseScopes(scopes, new Set(), chat);
    if (chosen === undefined) {
      screen.print(words.say('chat.review.left'));
      return;
    }
    try {
      await device.relations.answer(relation.relationId, chosen, manifestHash);
      screen.print(`${paint('green', '✓')} ${words.say('chat.review.done', { n: chosen.length })}`);
      return;
    } catch (error) {
      if (!isChanged(error)) throw error;
      screen.print(paint('yellow', words.say('chat.consent.changed')));
    }
  }
}

/** Signs what was granted by a plain API call; it counts only after a device has signed it (RL-10). */
async function signAgain({ relationId, scopes }: RelationView, { device, screen, words }: ChatContext): Promise<void> {
  const unsigned = scopes.filter((scope) => scope.unsigned);
  if (unsigned.length === 0) return;
  const list = unsigned.map(({ label, id }) => `  ${label} (${id})`).join('\n');
  screen.print(`${words.say('chat.review.unsigned')}\n${list}`);
  const answer = await screen.ask({ label: `${words.say('chat.yes_no')} ` });
  const shown = unsigned.map(({ id }) => id);
  if (isYes(answer)) await device.relations.signPending(relationId, shown);
}

export const isYes = (answer: string | undefined): boolean => /^(y|yes|是|好)$/i.test(answer?.trim() ?? '');
