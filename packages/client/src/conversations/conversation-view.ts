import { displayText } from '@parley/documents';
import type { conversationRoutes, ReplyOf } from '@parley/protocol';

export type ListedConversation = ReplyOf<typeof conversationRoutes.listConversations>['conversations'][number];

/** A conversation as the server lists it, with the title it had when it was bound to its members (EE-20). */
export interface Summary extends ListedConversation {
  readonly boundTitle?: string | null;
}

export interface ConversationView {
  readonly conversationId: string;
  readonly kind: Summary['kind'];
  /** The title of a group, or the name of the other side. It stays with those it was bound to. */
  readonly title: string;
  readonly agentId?: string;
  readonly unread: number;
  readonly lastSeq: number;
  readonly readSeq: number;
  readonly lastMessageAt: string | null;
}

export function viewConversation(
  summary: Summary,
  agent: { readonly agentId: string; readonly name: string } | undefined,
): ConversationView {
  return {
    conversationId: summary.conversation_id,
    kind: agent === undefined ? summary.kind : 'h2a',
    title: displayText(agent?.name ?? summary.boundTitle ?? summary.title ?? ''),
    ...(agent === undefined ? {} : { agentId: agent.agentId }),
    unread: summary.unread,
    lastSeq: summary.last_seq,
    readSeq: summary.read_seq,
    lastMessageAt: summary.last_message_at,
  };
}

export function latestFirst(a: ConversationView, b: ConversationView): number {
  return (b.lastMessageAt ?? '') < (a.lastMessageAt ?? '') ? -1 : 1;
}
