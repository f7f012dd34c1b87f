import type { ConversationSummary } from './store.ts';

interface ConversationRow {
  readonly id: string;
  readonly kind: 'h2a' | 'h2h' | 'group';
  readonly title: string | null;
  readonly last_seq: number;
  readonly created_at: Date;
}
interface MemberRow {
  readonly member_kind: 'human' | 'agent';
  readonly member_id: string;
  readonly role: 'owner' | 'admin' | 'member';
  readonly name: string;
}

const toConversation = ({ id, kind, title, last_seq, created_at }: ConversationRow) => ({
  conversation_id: id,
  kind,
  title,
  last_seq,
  created_at: created_at.toISOString(),
});

export function toDetail(row: ConversationRow & { relation_id: string | null }, members: readonly MemberRow[]) {
  return {
    ...toConversation(row),
    ...(row.relation_id === null ? {} : { relation_id: row.relation_id }),
    members: members.map(({ member_kind, member_id, role, name }) => ({
      kind: member_kind,
      id: member_id,
      role,
      name,
    })),
  };
}

export function toSummary(row: ConversationSummary) {
  const { role, read_seq, unread, last_message_at } = row;
  return {
    ...toConversation(row),
    role,
    read_seq,
    unread,
    last_message_at: last_message_at?.toISOString() ?? null,
  };
}

interface InvitationRow {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly accepted: boolean;
  readonly inviter_id: string;
  readonly created_at: Date;
}

export function toInvitation({ id, account_id, name, accepted, inviter_id, created_at }: InvitationRow) {
  return {
    invitation_id: id,
    user_id: account_id,
    name,
    accepted,
    invited_by: inviter_id,
    created_at: created_at.toISOString(),
  };
}

interface OwnInvitationRow {
  readonly invitation_id: string;
  readonly title: string | null;
  readonly members: number;
  readonly inviter_id: string;
  readonly inviter_name: string;
  readonly accepted: boolean;
  readonly created_at: Date;
}

export function toOwnInvitation(row: OwnInvitationRow) {
  const { invitation_id, title, members, inviter_id, inviter_name, accepted, created_at } = row;
  return {
    invitation_id,
    title,
    members,
    invited_by: { user_id: inviter_id, display_name: inviter_name },
    accepted,
    created_at: created_at.toISOString(),
  };
}
