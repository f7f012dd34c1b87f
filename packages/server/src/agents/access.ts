import { isId } from '@parley/base';
import type { Selectable } from 'kysely';
import type { Caller } from '../http/caller.ts';
import { RequestError } from '../http/request-error.ts';
import type { Db, Trx } from '../storage/database.ts';
import type { Database } from '../storage/tables.ts';

/** The caller's relation to the agent, named as in the authorisation table. */
export type Role = 'owner' | 'self' | 'member' | 'stranger';

type AgentRow = Selectable<Database['agents']>;
type Known = Pick<AgentRow, 'id' | 'owner_id' | 'visibility' | 'status'> & { owner_status: string };
export interface VisibleAgent {
  readonly agentId: string;
  readonly status: AgentRow['status'];
  readonly role: Role;
  readonly ownerId: string;
}

/**
 * Throws NOT_FOUND for an agent that does not exist, was deleted, or that the caller may not see, without telling
 * which.
 */
export async function findVisible(db: Db | Trx, caller: Caller, agentId: string): Promise<VisibleAgent> {
  const agent = await findKnown(db, agentId);
  if (agent === undefined || agent.status === 'deleted') throw new RequestError('NOT_FOUND');
  const role = await roleOf(db, caller, agent);
  const open = agent.visibility === 'public' && agent.status !== 'banned' && agent.owner_status === 'active';
  if (role === 'stranger' && !open) throw new RequestError('NOT_FOUND');
  return { agentId: agent.id, status: agent.status, role, ownerId: agent.owner_id };
}

/** Works as findVisible, and throws FORBIDDEN for those who may see the agent but not do this. */
export async function findAllowed(
  db: Db | Trx,
  { caller, agentId, roles }: { caller: Caller; agentId: string; roles: readonly Role[] },
): Promise<VisibleAgent> {
  const agent = await findVisible(db, caller, agentId);
  if (!roles.includes(agent.role)) throw new RequestError('FORBIDDEN');
  return agent;
}

async function findKnown(db: Db | Trx, agentId: string): Promise<Known | undefined> {
  if (!isId(agentId)) return undefined;
  return db
    .selectFrom('agents')
    .innerJoin('accounts', 'accounts.id', 'agents.owner_id')
    .select(['agents.id', 'agents.owner_id', 'agents.visibility', 'agents.status', 'accounts.status as owner_status'])
    .where('agents.id', '=', agentId)
    .executeTakeFirst();
}

async function roleOf(db: Db | Trx, caller: Caller, agent: Known): Promise<Role> {
  if (caller.kind === 'agent') return caller.agentId === agent.id ? 'self' : 'stranger';
  if (caller.kind === 'anonymous') return 'stranger';
  if (caller.accountId === agent.owner_id) return 'owner';
  const relation = await db
    .selectFrom('h2a_relations')
    .select('id')
    .where('account_id', '=', caller.accountId)
    .where('agent_id', '=', agent.id)
    .where('status', '<>', 'ended')
    .executeTakeFirst();
  return relation === undefined ? 'stranger' : 'member';
}
