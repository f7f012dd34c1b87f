import { isParleyError } from '@parley/base';
import type { ConversationDetail } from '@parley/client';
import { displayName } from '../../display.ts';
import type { ChatContext } from './chat-context.ts';
import { isYes } from './review.ts';

export async function showMembers(conversationId: string, chat: ChatContext): Promise<void> {
  const detail = await chat.device.conversations.detail(conversationId);
  chat.screen.print(formatMembers(detail, chat));
}

/** Says of a group that was just opened what stands in its way. Offline, nothing is known. */
export async function tellMembers(conversationId: string, chat: ChatContext): Promise<void> {
  const detail = await chat.device.conversations.detail(conversationId).catch(() => undefined);
  if (detail?.kind !== 'group') return;
  const { screen, words, paint } = chat;
  const { signed, mayConfirm, strangers } = detail;
  if (!signed)
    screen.print(paint('yellow', words.say(mayConfirm ? 'chat.members.to_confirm' : 'chat.members.unsigned')));
  else if (strangers.length > 0) screen.print(paint('red', words.say('chat.members.has_strangers')));
}

/** The owner of a group that nobody has signed yet signs exactly those members who were shown (EE-20). */
export async function confirmMembers(conversationId: string, chat: ChatContext): Promise<void> {
  const { device, screen, words, paint } = chat;
  for (;;) {
    const detail = await device.conversations.detail(conversationId);
    screen.print(formatMembers(detail, chat));
    if (!detail.mayConfirm)
      return screen.print(words.say(detail.signed ? 'chat.members.nothing' : 'chat.members.unsigned'));
    const answer = await screen.ask({ label: `${words.say('chat.members.ask')} ` });
    if (!isYes(answer)) return screen.print(words.say('chat.members.left'));
    try {
      const { strangers: members, title } = detail;
      await device.conversations.confirmMembers(conversationId, { members, title });
      return screen.print(`${paint('green', '✓')} ${words.say('chat.members.confirmed')}`);
    } catch (error) {
      if (!isParleyError(error, 'MEMBERS_CHANGED')) throw error;
      screen.print(paint('yellow', words.say('chat.members.changed')));
    }
  }
}

/** Names come from the server and may be anyone's; the ids tell two of the same name apart. */
function formatMembers({ members, strangers, signed }: ConversationDetail, chat: ChatContext): string {
  const { device, words, paint } = chat;
  const list = (people: ConversationDetail['members']) =>
    people.map(({ kind, id, role, name }) => {
      const you = id === device.accountId ? [words.say('chat.you')] : [];
      const about = [words.say(`chat.member.${kind}`), words.say(`chat.role.${role}`), ...you];
      return `  ${displayName(name)} (${about.join(words.say('list.separator'))})  ${paint('dim', displayName(id))}`;
    });
  const part = (title: string, people: ConversationDetail['members']) =>
    people.length === 0 ? [] : [title, ...list(people)];
  return [
    ...part(paint('bold', words.say('chat.members.title')), members),
    ...part(paint(signed ? 'red' : 'yellow', words.say('chat.members.strangers')), strangers),
  ].join('\n');
}
