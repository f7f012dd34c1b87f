import { closed, Id, Nothing, Time } from '../formats.ts';
import { defineRoute, type RouteContract } from '../route.ts';
import * as Type from '../schema/type.ts';
import { anyPerson, ownerOnly } from './access.ts';

const tag = 'contacts';
const KB = 1024;

/** How many requests of one account are open, and how many wait for one (AC-4). */
export const MAX_OUTGOING_REQUESTS = 30;
export const MAX_INCOMING_REQUESTS = 200;

const Code = Type.String({
  pattern: '^[0-9A-HJKMNP-TV-Z]{12}$',
  description: '12 letters of base 32, the last two check',
});
const OwnCode = Type.Object({ code: Code, created_at: Time });
const person = { user_id: Id, display_name: Type.String() };
const Contact = Type.Object({ ...person, since: Time });
const Blocked = Type.Object({
  ...person,
  since: Time,
  /** Agents of theirs that are or were in a conversation with one: devices hide what those write into groups (AC-6). */
  agent_ids: Type.Array(Id),
});
/** How many agents of one person are named. */
export const MAX_BLOCKED_AGENTS = 500;
/** How many are named whom one has unblocked, the latest first. */
export const MAX_UNBLOCKED = 1_000;

/** How a request names the person it is for. */
const named = {
  code: Type.Optional(Code),
  agent_id: Type.Optional(Id),
  user_id: Type.Optional(Id),
};

export const readContactCode = defineRoute({
  method: 'GET',
  path: '/contacts/code',
  summary: "One's own contact code; the first time, one is made",
  tag,
  status: 200,
  reply: OwnCode,
  limit: { body: KB, perMinute: 60, by: 'caller' },
  access: anyPerson(200),
});

export const replaceContactCode = defineRoute({
  method: 'POST',
  path: '/contacts/code',
  summary: 'Replace the contact code: the old one leads nowhere from now on',
  tag,
  status: 200,
  reply: OwnCode,
  limit: { body: KB, perMinute: 10, by: 'caller' },
  access: anyPerson(200),
});

export const listContacts = defineRoute({
  method: 'GET',
  path: '/contacts',
  summary: "One's contacts by name",
  tag,
  query: Type.Object(
    {
      cursor: Type.Optional(Type.String({ maxLength: 1000 })),
      limit: Type.Optional(Type.String({ pattern: '^([1-9]\\d?|100)$', description: '1 to 100; 100 by default.' })),
    },
    closed,
  ),
  status: 200,
  reply: Type.Object({ contacts: Type.Array(Contact), next_cursor: Type.Union([Type.String(), Type.Null()]) }),
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: anyPerson(200),
});

export const askContact = defineRoute({
  method: 'POST',
  path: '/contacts/requests',
  summary:
    'Ask someone to become a contact: by their code, as the owner of an agent, or as a member of a shared conversation. The answer is the same whether anyone is there or not',
  tag,
  body: Type.Object(named, { ...closed, minProperties: 1, maxProperties: 1 }),
  status: 202,
  reply: Type.Object({
    request_id: Id,
    /** Set if they are a contact already, or had asked themselves and become one by this. */
    contact: Type.Union([Contact, Type.Null()]),
  }),
  limit: { body: KB, perMinute: 10, by: 'caller' },
  access: anyPerson(202),
});

export const listContactRequests = defineRoute({
  method: 'GET',
  path: '/contacts/requests',
  summary: 'Requests that wait for an answer: those of others, and those that one made',
  tag,
  status: 200,
  reply: Type.Object({
    incoming: Type.Array(
      Type.Object({
        request_id: Id,
        ...person,
        /** How they named one: by the code, as the owner of this agent, or as a member of a shared conversation. */
        by: Type.Union([Type.Literal('code'), Type.Literal('agent'), Type.Literal('conversation')]),
        agent_name: Type.Optional(Type.String()),
        created_at: Time,
      }),
    ),
    /** What became of them is not told; they are listed for 30 days. */
    outgoing: Type.Array(Type.Object({ request_id: Id, ...named, created_at: Time })),
  }),
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: anyPerson(200),
});

const one = Type.Object({ request_id: Id }, closed);

export const acceptContact = defineRoute({
  method: 'POST',
  path: '/contacts/requests/:request_id/accept',
  summary: 'Accept a request: both are contacts from now on, and may write to each other',
  tag,
  params: one,
  status: 200,
  reply: Contact,
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: ownerOnly(200),
});

export const declineContact = defineRoute({
  method: 'POST',
  path: '/contacts/requests/:request_id/decline',
  summary: 'Decline a request. Whoever asked is told nothing, and is not heard again for 30 days',
  tag,
  params: one,
  status: 204,
  reply: Nothing,
  limit: { body: KB, perMinute: 300, by: 'caller' },
  access: ownerOnly(204),
});

export const listBlocked = defineRoute({
  method: 'GET',
  path: '/contacts/blocked',
  summary: 'Whom one has blocked',
  tag,
  status: 200,
  reply: Type.Object({
    blocked: Type.Array(Blocked),
    /** Whom one has unblocked: what they wrote before does not come, and is no loss. */
    unblocked: Type.Array(Id),
  }),
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: anyPerson(200),
});

export const blockAccount = defineRoute({
  method: 'POST',
  path: '/contacts/blocked',
  summary: 'Block someone one knows: a contact, someone in a shared conversation, or someone who asked',
  tag,
  body: Type.Object({ user_id: Id }, closed),
  status: 201,
  reply: Blocked,
  limit: { body: KB, perMinute: 60, by: 'caller' },
  access: ownerOnly(201),
});

export const unblockAccount = defineRoute({
  method: 'DELETE',
  path: '/contacts/blocked/:user_id',
  summary: 'Unblock someone. What they wrote meanwhile does not come',
  tag,
  params: Type.Object({ user_id: Id }, closed),
  status: 204,
  reply: Nothing,
  limit: { body: KB, perMinute: 60, by: 'caller' },
  access: ownerOnly(204),
});

const Invitation = Type.Object({
  invitation_id: Id,
  title: Type.Union([Type.String(), Type.Null()]),
  members: Type.Integer(),
  invited_by: Type.Object(person),
  /** One is in the group as soon as a manager has signed; until then it can be declined all the same. */
  accepted: Type.Boolean(),
  created_at: Time,
});
const invitation = Type.Object({ invitation_id: Id }, closed);

export const listOwnInvitations = defineRoute({
  method: 'GET',
  path: '/group-invitations',
  summary: 'Groups that one is invited to, also those that one waits to be signed into',
  tag,
  status: 200,
  reply: Type.Object({ invitations: Type.Array(Invitation) }),
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: anyPerson(200),
});

export const acceptInvitation = defineRoute({
  method: 'POST',
  path: '/group-invitations/:invitation_id/accept',
  summary: 'Accept an invitation. In a group whose members are signed, one is in it when a manager has signed (EE-20)',
  tag,
  params: invitation,
  status: 200,
  reply: Type.Object({ conversation_id: Id, joined: Type.Boolean() }),
  limit: { body: KB, perMinute: 60, by: 'caller' },
  access: ownerOnly(200),
});

export const declineInvitation = defineRoute({
  method: 'POST',
  path: '/group-invitations/:invitation_id/decline',
  summary: 'Decline an invitation, or take back that it was accepted. The group is told nothing',
  tag,
  params: invitation,
  status: 204,
  reply: Nothing,
  limit: { body: KB, perMinute: 120, by: 'caller' },
  access: ownerOnly(204),
});

export const CONTACT_ROUTES: readonly RouteContract[] = [
  readContactCode,
  replaceContactCode,
  listContacts,
  askContact,
  listContactRequests,
  acceptContact,
  declineContact,
  listBlocked,
  blockAccount,
  unblockAccount,
  listOwnInvitations,
  acceptInvitation,
  declineInvitation,
];
