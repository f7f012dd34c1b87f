import type { ConversationView, RelationView } from '@parley/client';
import { addAgent } from './add-agent.ts';
import type { ChatContext } from './chat-context.ts';
import { clockOf } from './clock.ts';
import { type Candidate, findAgent, isActive } from './find-agent.ts';
import { tellMembers } from './members.ts';
import { watchTimeline } from './watch-timeline.ts';

/** Lists the conversations of a person and opens one at a time. */
export interface ChatNavigator {
  readonly chat: ChatContext;
  /** The id of the open conversation. */
  relation(): RelationView | undefined;
  conversation(): string | undefined;
  list(): void;
  /** Opens a conversation by its number in the list. */
  open(query: string): void;
  find(text: string): Promise<void>;
  /** Opens an agent by name, id, link, or its number in the search results. A new one needs consent first. */
  enter(query: string): Promise<void>;
  goHome(): void;
  leave(): void;
}

export function createNavigator(chat: ChatContext, leave: () => void): ChatNavigator {
  const { device, screen, words, paint } = chat;
  let listed: readonly ConversationView[] = [];
  let found: readonly Candidate[] = [];
  let current: string | undefined;
  let stop = () => {};

  const relationOf = (conversationId: string | undefined) =>
    device.relations.getSnapshot().find((relation) => relation.conversationId === conversationId);

  function titleOf({ title, conversationId, kind }: ConversationView): string {
    return title || relationOf(conversationId)?.agentName || words.say(`chat.kind.${kind}`);
  }

  function visit(conversationId: string, title: string): void {
    stop();
    current = conversationId;
    screen.print(`\n${paint('bold', `── ${title} ──`)}`);
    stop = watchTimeline(conversationId, title, chat);
    const relation = relationOf(conversationId);
    if (relation !== undefined) tellState(relation);
    else void tellMembers(conversationId, chat);
  }

  function tellState({ needsReview, needsSignature, problem, status }: RelationView): void {
    if (status === 'ended') screen.print(paint('yellow', words.say('chat.relation.ended')));
    if (status === 'suspended') screen.print(paint('yellow', words.say('chat.relation.suspended')));
    if (problem !== undefined) screen.print(paint('red', words.say(`chat.relation.${problem}`)));
    else if (needsSignature) screen.print(paint('yellow', words.say('chat.relation.needs_signature')));
    else if (needsReview) screen.print(paint('yellow', words.say('chat.relation.needs_review')));
  }

  function offer(agents: readonly Candidate[]): void {
    found = agents;
    const lines = agents.map(({ agent_id, name, description, highest_sensitivity: level }, at) => {
      const highest =
        level === null ? '' : `  ${words.say('chat.find.level', { level: words.say(`chat.sensitivity.${level}`) })}`;
      const about = description === '' ? '' : `\n    ${description}`;
      return `  ${paint('bold', String(at + 1))} ${name}  ${paint('dim', `${agent_id}${highest}`)}${about}`;
    });
    screen.print([...lines, paint('dim', words.say('chat.find.how'))].join('\n'));
  }

  return {
    chat,
    relation: () => relationOf(current),
    conversation: () => current,
    list() {
      listed = device.conversations.list.getSnapshot();
      if (listed.length === 0) return screen.print(words.say('chat.list.none'));
      const lines = listed.map((view, at) => {
        const unread =
          view.unread === 0 ? '' : `  ${paint('yellow', words.say('chat.list.unread', { n: view.unread }))}`;
        const relation = relationOf(view.conversationId);
        const ended = relation?.status === 'ended' ? `  ${words.say('chat.list.ended')}` : '';
        const asks = relation?.needsReview || relation?.needsSignature;
        const review = asks ? `  ${paint('yellow', words.say('chat.list.review'))}` : '';
        const time = view.lastMessageAt === null ? '' : `  ${paint('dim', clockOf(view.lastMessageAt))}`;
        return `  ${paint('bold', String(at + 1))} ${titleOf(view)}${time}${unread}${ended}${review}`;
      });
      screen.print([...lines, paint('dim', words.say('chat.list.how'))].join('\n'));
    },
    open(query) {
      if (listed.length === 0) listed = device.conversations.list.getSnapshot();
      const view = listed[Number(query) - 1];
      if (view === undefined) screen.print(words.say('chat.consent.no_such', { n: listed.length }));
      else visit(view.conversationId, titleOf(view));
    },
    async find(text) {
      const { agents } = await device.agents.search(text === '' ? {} : { q: text.slice(0, 200) });
      if (agents.length === 0) return screen.print(words.say('chat.find.none'));
      offer(agents);
    },
    async enter(query) {
      // A fresh device does not know yet whom the person has added; offline, what it knows has to do.
      await device.relations.sync().catch(() => {});
      const numbered = /^\d+$/.test(query) ? found[Number(query) - 1]?.agent_id : undefined;
      const target = await findAgent(numbered ?? query, device);
      if (target.kind === 'none') return screen.print(words.say('chat.find.none'));
      if (target.kind === 'several') {
        screen.print(words.say('chat.find.several'));
        return offer(target.agents);
      }
      const relation = target.kind === 'relation' ? target.relation : await addAgent(target.link, chat);
      if (relation !== undefined && isActive(relation)) visit(relation.conversationId, relation.agentName);
    },
    goHome() {
      stop();
      current = undefined;
    },
    leave() {
      stop();
      leave();
    },
  };
}
