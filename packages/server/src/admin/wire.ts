import type { adminRoutes, invitationRoutes } from '@parley/protocol';
import type { Selectable } from 'kysely';
import type { Database } from '../storage/tables.ts';
import type { ActionRow } from './log.ts';
import type { AccountRow, AgentRow } from './store.ts';

export function toWireAccount({ id, created_at, last_seen_at, ...row }: AccountRow): adminRoutes.WireAccount {
  return {
    user_id: id,
    ...row,
    last_seen_at: last_seen_at === null ? null : last_seen_at.toISOString(),
    created_at: created_at.toISOString(),
  };
}

export function toWireAgent({ id, created_at, unreachable_since, ...row }: AgentRow): adminRoutes.WireAdminAgent {
  return {
    agent_id: id,
    ...row,
    unreachable_since: unreachable_since === null ? null : unreachable_since.toISOString(),
    created_at: created_at.toISOString(),
  };
}

export function toWireAction({ created_at, ...row }: ActionRow): adminRoutes.WireAction {
  return { ...row, created_at: created_at.toISOString() };
}

export function toWireInvitation(row: Selectable<Database['invitations']>): invitationRoutes.WireInvitation {
  return {
    invitation_id: row.id,
    note: row.note,
    uses: row.uses,
    used: row.used,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    revoked_at: row.revoked_at?.toISOString() ?? null,
  };
}
