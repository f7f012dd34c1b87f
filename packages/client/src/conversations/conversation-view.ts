import { displayText } from '@parley/documents';
import type { conversationRoutes, ReplyOf } from '@parley/protocol';

/** A conversation as the server lists it. */
export type Summary = ReplyOf<typeof conversationRoutes.listConversations>['conversations'][number];

export interface ConversationView {
  readonly conversationId: string;
  readonly kind: Summary['kind'];
  /** The title of a group, or the name of the agent. */
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
    kind: summary.kind,
    title: displayText(summary.title ?? agent?.name ?? ''),
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
