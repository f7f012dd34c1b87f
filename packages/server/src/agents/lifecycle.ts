import type { agentRoutes, ReplyOf } from '@parley/protocol';
import { deleteAgentEvents } from '../agent-events/store.ts';
import { leaveGroups } from '../conversations/members.ts';
import { RequestError } from '../http/request-error.ts';
import type { Platform } from '../platform.ts';
import { endRelationsOf, restoreRelationsOf, suspendRelationsOf } from '../relations/end.ts';
import { dropUnneededManifests } from './room.ts';
import { lockAgent } from './store.ts';
import { wakeSockets } from './tokens.ts';

type StatusReply = ReplyOf<typeof agentRoutes.suspendAgent>;

/** The row stays for the history of those who used the agent; nobody can see or use it any more. */
export async function deleteAgent(platform: Platform, agentId: string): Promise<void> {
  const now = platform.now();
  const wake = await platform.db.transaction().execute(async (trx) => {
    await lockAgent(trx, agentId);
    await trx.updateTable('agents').set({ status: 'deleted', updated_at: now }).where('id', '=', agentId).execute();
    await trx
      .updateTable('agent_tokens')
      .set({ revoked_at: now })
      .where('agent_id', '=', agentId)
      .where('revoked_at', 'is', null)
      .execute();
    const wakeRelations = await endRelationsOf(trx, platform, agentId);
    const told = await leaveGroups(trx, platform, { kind: 'agent', id: agentId });
    await deleteAgentEvents(trx, agentId);
    await dropUnneededManifests(trx, agentId);
    return () => {
      wakeRelations();
      platform.events.wake(told);
    };
  });
  wake();
  wakeSockets(platform, agentId);
}

export function suspendAgent(platform: Platform, agentId: string): Promise<StatusReply> {
  return move(platform, agentId, { to: 'suspended', tell: suspendRelationsOf, note: 'agent.suspended' });
}

export function resumeAgent(platform: Platform, agentId: string): Promise<StatusReply> {
  return move(platform, agentId, { to: 'active', tell: restoreRelationsOf, note: 'agent.resumed' });
}

interface Move {
  readonly to: 'active' | 'suspended';
  readonly tell: typeof suspendRelationsOf;
  readonly note: 'agent.suspended' | 'agent.resumed';
}

/** Moves an agent between active and suspended. Its owner cannot move one that an operator has banned. */
async function move(platform: Platform, agentId: string, { to, tell, note }: Move): Promise<StatusReply> {
  const wake = await platform.db.transaction().execute(async (trx) => {
    const { status } = await lockAgent(trx, agentId);
    if (status === 'banned') throw new RequestError('FORBIDDEN');
    if (status === to) return () => {};
    await trx.updateTable('agents').set({ status: to, updated_at: platform.now() }).where('id', '=', agentId).execute();
    const wakeRelations = await tell(trx, platform, agentId);
    return () => {
      platform.agentEvents.record(agentId, { type: note });
      wakeRelations();
    };
  });
  wake();
  wakeSockets(platform, agentId);
  return { agent_id: agentId, status: to };
}
