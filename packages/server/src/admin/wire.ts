import type { adminRoutes } from '@parley/protocol';
import type { ActionRow } from './log.ts';
import type { AccountRow, AgentRow } from './store.ts';

export function toWireAccount({ id, created_at, ...row }: AccountRow): adminRoutes.WireAccount {
  return { user_id: id, ...row, created_at: created_at.toISOString() };
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
