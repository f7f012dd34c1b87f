import type { Static } from 'typebox';
import { closed, Id, Nothing, Time } from '../formats.ts';
import { defineRoute } from '../route.ts';
import * as Type from '../schema/type.ts';
import { adminOnly } from './access.ts';

const tag = 'admin';
const KB = 1024;
const limit = { body: 4 * KB, perMinute: 120, by: 'caller' } as const;

const Invitation = Type.Object({
  invitation_id: Id,
  note: Type.String(),
  uses: Type.Integer({ description: 'How many people may register with it.' }),
  used: Type.Integer(),
  created_at: Time,
  expires_at: Time,
  revoked_at: Type.Union([Time, Type.Null()]),
});
export type WireInvitation = Static<typeof Invitation>;

export const createInvitation = defineRoute({
  method: 'POST',
  path: '/admin/invitations',
  summary: 'Invite people to register. The link is shown once.',
  tag,
  body: Type.Object(
    {
      uses: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 1 })),
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365, default: 7 })),
      note: Type.Optional(Type.String({ maxLength: 200, pattern: '^[^\\u0000]*$', default: '' })),
    },
    closed,
  ),
  status: 201,
  reply: Type.Object({ invitation: Invitation, code: Type.String(), link: Type.String() }),
  limit,
  access: adminOnly(201),
});

export const listInvitations = defineRoute({
  method: 'GET',
  path: '/admin/invitations',
  summary: 'Invitations that still count, and those of the last 90 days, newest first',
  tag,
  status: 200,
  reply: Type.Object({ invitations: Type.Array(Invitation) }),
  limit,
  access: adminOnly(200),
});

export const revokeInvitation = defineRoute({
  method: 'DELETE',
  path: '/admin/invitations/:invitation_id',
  summary: 'End an invitation; those who registered with it stay',
  tag,
  params: Type.Object({ invitation_id: Id }),
  status: 204,
  reply: Nothing,
  limit,
  access: adminOnly(204),
});

export const createResetLink = defineRoute({
  method: 'POST',
  path: '/admin/accounts/:account_id/reset-link',
  summary: 'Make a link with which an account sets a new password, once. It is shown once, and its owner is told',
  tag,
  params: Type.Object({ account_id: Id }),
  body: Type.Object(
    { reason: Type.Optional(Type.String({ maxLength: 500, pattern: '^[^\\u0000]*$', default: '' })) },
    closed,
  ),
  status: 201,
  reply: Type.Object({ link: Type.String(), expires_at: Time }),
  limit,
  access: adminOnly(201),
});

export const INVITATION_ROUTES = [createInvitation, listInvitations, revokeInvitation, createResetLink];
