import { displayText } from '@parley/documents';
import type { conversationRoutes, ReplyOf } from '@parley/protocol';
import type { ConversationSettings } from './conversation-settings.ts';
import type { MessagePreview } from './message-preview.ts';

export type ListedConversation = ReplyOf<typeof conversationRoutes.listConversations>['conversations'][number];

/** A conversation as the server lists it, with the title it had when it was bound to its members (EE-20). */
export interface Summary extends ListedConversation {
  readonly boundTitle?: string | null;
  /**
   * The last number when this device, as a new one, first saw it, as the server says; lower once something opened here
   * that is older: what comes before it was not for this device (WC-38).
   */
  readonly since?: number;
  /** Up to where the server has counted in `unread`; what comes after is counted here. */
  readonly countedSeq?: number;
  /** The numbers behind what was read at which there is nothing to read, as a change of a card: they are not counted. */
  readonly silent?: readonly number[];
  /** Absent in what a version before has kept; null where nothing was written yet. */
  readonly preview?: MessagePreview | null;
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
  /** The last message, as far as this device has it. */
  readonly preview?: MessagePreview;
  /** Put away on this device; it comes back with the next message, unless it is muted. */
  readonly archived: boolean;
  /** Deleted on this device: not to be listed until something new comes. */
  readonly hidden: boolean;
  /** On this device: until then no notification, and not counted. An ISO time, or `always`. */
  readonly mutedUntil?: string;
}

interface ViewParts {
  readonly agent: { readonly agentId: string; readonly name: string } | undefined;
  readonly settings: ConversationSettings;
  readonly isMuted: boolean;
}

export function viewConversation(summary: Summary, { agent, settings, isMuted }: ViewParts): ConversationView {
  return {
    conversationId: summary.conversation_id,
    kind: agent === undefined ? summary.kind : 'h2a',
    title: displayText(agent?.name ?? summary.boundTitle ?? summary.title ?? ''),
    ...(agent === undefined ? {} : { agentId: agent.agentId }),
    unread: summary.unread,
    lastSeq: summary.last_seq,
    readSeq: summary.read_seq,
    lastMessageAt: summary.last_message_at,
    ...(summary.preview ? { preview: summary.preview } : {}),
    archived: settings.archived === true,
    hidden: settings.hidden === true,
    ...(isMuted && settings.mutedUntil !== undefined ? { mutedUntil: settings.mutedUntil } : {}),
  };
}

/** Listed, and meant to be noticed: neither put away nor muted nor deleted here. */
export function countUnread(views: readonly ConversationView[]): number {
  const noticed = views.filter(({ archived, hidden, mutedUntil }) => !archived && !hidden && mutedUntil === undefined);
  return noticed.reduce((sum, { unread }) => sum + unread, 0);
}

export function latestFirst(a: ConversationView, b: ConversationView): number {
  return (b.lastMessageAt ?? '') < (a.lastMessageAt ?? '') ? -1 : 1;
}
