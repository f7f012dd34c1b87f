import { TIMED_ID_PATTERN } from '@parley/base';
import { Sha256 } from '../chains/chain.ts';
import { GroupStatement } from '../chains/group.ts';
import { Envelope, MAX_ENVELOPE_BYTES, Sender } from '../envelope.ts';
import { closed, Id, Nothing, Time } from '../formats.ts';
import { type CallerKind, defineRoute, type RouteContract } from '../route.ts';
import * as Type from '../schema/type.ts';
import { anyPerson } from './access.ts';

const Kind = Type.Union([Type.Literal('h2a'), Type.Literal('h2h'), Type.Literal('group')]);
const MemberKind = Type.Union([Type.Literal('human'), Type.Literal('agent')]);
const Role = Type.Union([Type.Literal('owner'), Type.Literal('admin'), Type.Literal('member')]);
// Postgres cannot store U+0000 in a text.
const Title = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000]+$' });
const Seq = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const SeqText = Type.String({ pattern: '^(0|[1-9]\\d{0,14})$' });
const Limit = Type.String({ pattern: '^([1-9]\\d?|100)$', description: '1 to 100; 50 by default.' });

/** `name` is the name of the account or agent; empty where it was deleted. */
const Member = Type.Object({ kind: MemberKind, id: Id, role: Role, name: Type.String() });
const conversation = {
  conversation_id: Id,
  kind: Kind,
  title: Type.Union([Type.String(), Type.Null()]),
  last_seq: Seq,
  created_at: Time,
};
const Summary = Type.Object({
  ...conversation,
  role: Role,
  read_seq: Seq,
  unread: Type.Integer({ description: "Others' messages after read_seq that are still kept; counted to 1,000." }),
  last_message_at: Type.Union([Time, Type.Null()]),
});
const Detail = Type.Object({
  ...conversation,
  members: Type.Array(Member),
  /** For `h2a`: the relation whose ledger says what is granted (RL-10). */
  relation_id: Type.Optional(Id),
});
const Ack = Type.Object({ message_id: Id, conversation_seq: Seq, client_message_id: Type.String() });
const Message = Type.Object({
  message_id: Id,
  conversation_id: Id,
  conversation_seq: Seq,
  client_message_id: Type.String(),
  sender: Sender,
  content_type: Type.String(),
  msg_subtype: Type.String(),
  created_at: Time,
  received_at: Time,
  envelope: Envelope,
});
const NewId = Type.String({ pattern: TIMED_ID_PATTERN });
const one = Type.Object({ conversation_id: Id }, closed);

/** People and agents in the conversation have access; for everyone else it does not exist. */
const MEMBERS = {
  anonymous: 401,
  stranger: 404,
  other_agent: 404,
  member: 200,
  owner: 200,
  self: 200,
  revoked: 401,
  admin: 404,
} as const satisfies Record<CallerKind, number>;
const members = (status: number) => ({ ...MEMBERS, member: status, owner: status, self: status });
/** In a group, its owner and admins have access; ordinary members and agents have none. */
const managers = (status: number) => ({ ...members(403), owner: status });

export const startConversation = defineRoute({
  method: 'POST',
  path: '/conversations',
  summary:
    'Begin a conversation with a contact, or a group with contacts and agents (AC-4, AC-5). With the same person there is only one',
  tag: 'conversations',
  body: Type.Object(
    {
      kind: Type.Union([Type.Literal('h2h'), Type.Literal('group')]),
      title: Type.Optional(Title),
      members: Type.Array(Type.Object({ kind: MemberKind, id: Id }, closed), { maxItems: 99 }),
      /** Of a group whose creator signs who is in it (EE-20): chosen by the creator, because the statement names it. */
      conversation_id: Type.Optional(NewId),
      statement: Type.Optional(GroupStatement),
    },
    closed,
  ),
  status: 201,
  reply: Detail,
  limit: { body: 64 * 1024, perMinute: 60, by: 'caller' },
  access: anyPerson(201),
});

export const listConversations = defineRoute({
  method: 'GET',
  path: '/conversations',
  summary: "One's own conversations, the newest first",
  tag: 'conversations',
  query: Type.Object({ cursor: Type.Optional(Id), limit: Type.Optional(Limit) }, closed),
  status: 200,
  reply: Type.Object({ conversations: Type.Array(Summary), next_cursor: Type.Union([Id, Type.Null()]) }),
  limit: { body: 1024, perMinute: 300, by: 'caller' },
  access: { ...anyPerson(200), other_agent: 200, self: 200 },
});

export const readConversation = defineRoute({
  method: 'GET',
  path: '/conversations/:conversation_id',
  summary: 'A conversation with its members',
  tag: 'conversations',
  params: one,
  status: 200,
  reply: Detail,
  limit: { body: 1024, perMinute: 600, by: 'caller' },
  access: members(200),
});

export const addMember = defineRoute({
  method: 'POST',
  path: '/conversations/:conversation_id/members',
  summary:
    "Bring a contact, an agent, or someone who accepted an invitation into a group, or change a member's role. Agents only if their manifest supports groups",
  tag: 'conversations',
  params: one,
  body: Type.Object(
    {
      kind: MemberKind,
      id: Id,
      role: Type.Optional(Type.Union([Type.Literal('admin'), Type.Literal('member')])),
      /** Says the same (EE-20). Without one, nobody seals for the new member. */
      statement: Type.Optional(GroupStatement),
    },
    closed,
  ),
  status: 200,
  reply: Detail,
  limit: { body: 4 * 1024, perMinute: 120, by: 'caller' },
  access: managers(200),
});

export const removeMember = defineRoute({
  method: 'DELETE',
  path: '/conversations/:conversation_id/members/:member_id',
  summary: 'Take someone out of a group, or leave it. Those who stay make a new group key (EE-12)',
  tag: 'conversations',
  params: Type.Object({ conversation_id: Id, member_id: Id }, closed),
  body: Type.Union([Nothing, Type.Object({ statement: Type.Optional(GroupStatement) }, closed)]),
  status: 204,
  reply: Nothing,
  limit: { body: 4 * 1024, perMinute: 120, by: 'caller' },
  access: managers(204),
});

export const inviteMember = defineRoute({
  method: 'POST',
  path: '/conversations/:conversation_id/invitations',
  summary:
    'Invite a person into a group who is no contact, or was in it before (AC-5). They are no member until they accept. The answer is the same whether anyone is there or not',
  tag: 'conversations',
  params: one,
  body: Type.Object({ user_id: Id }, closed),
  status: 202,
  reply: Type.Object({ invitation_id: Id }),
  limit: { body: 1024, perMinute: 30, by: 'caller' },
  access: managers(202),
});

export const listInvitations = defineRoute({
  method: 'GET',
  path: '/conversations/:conversation_id/invitations',
  summary: 'Who is invited into a group, and who has accepted and waits for a manager to sign them in',
  tag: 'conversations',
  params: one,
  status: 200,
  reply: Type.Object({
    invitations: Type.Array(
      Type.Object({
        invitation_id: Id,
        user_id: Id,
        /** Empty where the caller has no conversation with them. */
        name: Type.String(),
        accepted: Type.Boolean(),
        invited_by: Id,
        created_at: Time,
      }),
    ),
  }),
  limit: { body: 1024, perMinute: 300, by: 'caller' },
  access: managers(200),
});

export const withdrawInvitation = defineRoute({
  method: 'DELETE',
  path: '/conversations/:conversation_id/invitations/:invitation_id',
  summary: 'Take an invitation back',
  tag: 'conversations',
  params: Type.Object({ conversation_id: Id, invitation_id: Id }, closed),
  status: 204,
  reply: Nothing,
  limit: { body: 1024, perMinute: 60, by: 'caller' },
  access: managers(204),
});

export const readGroup = defineRoute({
  method: 'GET',
  path: '/conversations/:conversation_id/statements',
  summary: 'The signed statements that say who is in a group, oldest first (EE-20)',
  tag: 'conversations',
  params: one,
  query: Type.Object({ after: Type.Optional(Type.String({ pattern: '^\\d{1,9}$' })) }, closed),
  status: 200,
  reply: Type.Object({
    statements: Type.Array(GroupStatement, { description: 'At most 100; ask again after the last.' }),
    length: Type.Integer(),
    head: Type.Union([Sha256, Type.Null()]),
  }),
  limit: { body: 1024, perMinute: 600, by: 'caller' },
  access: members(200),
});

export const signGroup = defineRoute({
  method: 'POST',
  path: '/conversations/:conversation_id/statements',
  summary: 'The owner of a group that nobody has signed yet signs who is in it (EE-20)',
  tag: 'conversations',
  params: one,
  body: Type.Object({ statement: GroupStatement }, closed),
  status: 200,
  reply: Detail,
  limit: { body: 256 * 1024, perMinute: 30, by: 'caller' },
  access: managers(200),
});

export const sendMessage = defineRoute({
  method: 'POST',
  path: '/conversations/:conversation_id/messages',
  summary:
    'Send a sealed message. The reply means that it is on disk; the same client_message_id again is the same message',
  tag: 'conversations',
  params: one,
  body: Envelope,
  status: 200,
  reply: Ack,
  limit: { body: MAX_ENVELOPE_BYTES, perMinute: 6_000, by: 'caller' },
  access: members(200),
});

export const listMessages = defineRoute({
  method: 'GET',
  path: '/conversations/:conversation_id/messages',
  summary: 'Messages after a number, as far as they are still kept',
  tag: 'conversations',
  params: one,
  query: Type.Object({ after: Type.Optional(SeqText), limit: Type.Optional(Limit) }, closed),
  status: 200,
  reply: Type.Object({ messages: Type.Array(Message), last_seq: Seq }),
  limit: { body: 1024, perMinute: 600, by: 'caller' },
  access: members(200),
});

export const acknowledge = defineRoute({
  method: 'POST',
  path: '/conversations/:conversation_id/acks',
  summary: 'This device or agent has everything up to a number',
  tag: 'conversations',
  params: one,
  body: Type.Object({ seq: Seq }, closed),
  status: 204,
  reply: Nothing,
  limit: { body: 1024, perMinute: 6_000, by: 'caller' },
  access: members(204),
});

export const markRead = defineRoute({
  method: 'POST',
  path: '/conversations/:conversation_id/read',
  summary: 'Everything up to a number was read',
  tag: 'conversations',
  params: one,
  body: Type.Object({ seq: Seq }, closed),
  status: 204,
  reply: Nothing,
  limit: { body: 1024, perMinute: 600, by: 'caller' },
  access: members(204),
});

export const claimMessage = defineRoute({
  method: 'POST',
  path: '/messages/:message_id/claim',
  summary: 'Claim a tool call for this device before running or answering it (CG-11): given once',
  tag: 'conversations',
  params: Type.Object({ message_id: Id }, closed),
  status: 200,
  reply: Type.Object({ message_id: Id, device_id: Id }),
  limit: { body: 1024, perMinute: 600, by: 'caller' },
  access: { ...members(200), self: 403, other_agent: 403 },
});

export const passMessage = defineRoute({
  method: 'POST',
  path: '/messages/:message_id/pass',
  summary: 'This device cannot run the tool call (CG-11). `last`: no connected device of the account can, so answer it',
  tag: 'conversations',
  params: Type.Object({ message_id: Id }, closed),
  status: 200,
  reply: Type.Object({ message_id: Id, last: Type.Boolean() }),
  limit: { body: 1024, perMinute: 600, by: 'caller' },
  access: { ...members(200), self: 403, other_agent: 403 },
});

export const pollMessages = defineRoute({
  method: 'GET',
  path: '/agents/:agent_id/messages/poll',
  summary: 'Wait for messages and events (TR-4). The cursor of a reply, given back, says that its items were handled',
  tag: 'conversations',
  params: Type.Object({ agent_id: Id }, closed),
  query: Type.Object(
    {
      cursor: Type.Optional(Type.String({ maxLength: 12_000 })),
      wait: Type.Optional(Type.String({ pattern: '^([0-9]|[1-5][0-9]|60)$', description: 'Seconds; 0 by default.' })),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({
    messages: Type.Array(Message),
    events: Type.Array(Type.Record(Type.String(), Type.Unknown())),
    cursor: Type.String(),
  }),
  limit: { body: 1024, perMinute: 600, by: 'caller' },
  access: { ...MEMBERS, stranger: 403, other_agent: 403, member: 403, owner: 403, admin: 403 },
});

export const CONVERSATION_ROUTES: readonly RouteContract[] = [
  startConversation,
  listConversations,
  readConversation,
  addMember,
  removeMember,
  inviteMember,
  listInvitations,
  withdrawInvitation,
  readGroup,
  signGroup,
  sendMessage,
  listMessages,
  acknowledge,
  markRead,
  claimMessage,
  passMessage,
  pollMessages,
];
