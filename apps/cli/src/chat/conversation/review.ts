import type { RelationView } from '@parley/client';
import { isChanged } from './add-agent.ts';
import type { ChatContext } from './chat-context.ts';
import { chooseScopes } from './choose-scopes.ts';

/** Shows what changed, then asks for each scope again (RL-9). By default nothing is accepted. */
export async function reviewAgent(relation: RelationView, chat: ChatContext): Promise<void> {
  const { device, screen, words, paint } = chat;
  if (relation.needsSignature && !(await signAgain(relation, chat))) return;
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

/**
 * Asks for a signature of this device, where what was granted has none that counts: it was granted by a plain call, by a
 * version that did not name the whole subject, or by a device that was removed (RL-10, EE-19). Returns whether something
 * is left to review.
 */
async function signAgain(relation: RelationView, chat: ChatContext): Promise<boolean> {
  const { device, screen, words, paint } = chat;
  const { relationId, agentName: agent, identity } = relation;
  const scopes = relation.scopes.filter(({ granted, unsigned }) => granted || unsigned);
  const lines = scopes.map(({ id, label, level }) => `  ${label} (${id}, ${words.say(`chat.sensitivity.${level}`)})`);
  screen.print(
    [
      paint('bold', words.say('chat.review.unsigned', { agent })),
      ...(lines.length === 0 ? [words.say('chat.permissions.none')] : lines),
      ...(identity === undefined ? [] : [words.say('chat.review.key', { fingerprint: identity.fingerprint })]),
    ].join('\n'),
  );
  const answer = await screen.ask({ label: `${words.say('chat.review.ask_sign', { agent })} ` });
  if (!isYes(answer)) {
    screen.print(words.say('chat.review.not_signed', { agent }));
    return false;
  }
  const signed = await device.relations.signPending(
    relationId,
    scopes.map(({ id }) => id),
    relation.manifestHash,
  );
  screen.print(`${paint('green', '✓')} ${words.say('chat.review.signed', { agent })}`);
  return signed.needsReview;
}

export const isYes = (answer: string | undefined): boolean => /^(y|yes|是|好)$/i.test(answer?.trim() ?? '');
