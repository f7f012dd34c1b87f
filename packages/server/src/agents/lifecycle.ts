import type { agentRoutes, ReplyOf } from '@parley/protocol';
import { deleteAgentEvents } from '../agent-events/store.ts';
import { leaveGroups } from '../conversations/members.ts';
import { dropWebhook } from '../events/webhook-outbox.ts';
import { RequestError } from '../http/request-error.ts';
import { dropPrekeys } from '../keys/store.ts';
import type { Platform } from '../platform.ts';
import { endRelationsOf, reserveForRestoring, restoreRelationsOf, suspendRelationsOf } from '../relations/end.ts';
import type { Db } from '../storage/database.ts';
import { dropUnneededManifests } from './room.ts';
import { lockAgent } from './store.ts';
import { wakeSockets } from './tokens.ts';

/** What a deleted agent no longer has. */
const EMPTY = {
  description: '',
  capability_manifest: null,
  warnings: '[]',
  search: null,
  tool_names: [] as string[],
  scope_ids: [] as string[],
};

type StatusReply = ReplyOf<typeof agentRoutes.suspendAgent>;

/**
 * The row stays for the history of those who used the agent; nobody can see or use it any more. It keeps its name, its keys,
 * and which manifest it had, but nothing that is large (OP-1).
 */
export async function deleteAgent(platform: Platform, agentId: string): Promise<void> {
  const now = platform.now();
  const wake = await platform.db.transaction().execute(async (trx) => {
    // Before the agent, as whoever notes an attempt locks them.
    await dropWebhook(trx, agentId);
    await lockAgent(trx, agentId);
    await trx
      .updateTable('agents')
      .set({ ...EMPTY, status: 'deleted', updated_at: now })
      .where('id', '=', agentId)
      .execute();
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
    await dropPrekeys(trx, 'agent', [agentId]);
    await trx.deleteFrom('pending_scopes').where('agent_id', '=', agentId).execute();
    return () => {
      wakeRelations();
      platform.events.wake(told);
    };
  });
  wake();
  wakeSockets(platform, agentId);
}

const PORTION = 100;

/** Empties those that the version before deleted, in portions. */
export async function emptyDeletedAgents(db: Db): Promise<void> {
  for (let last = '00000000-0000-0000-0000-000000000000'; ; ) {
    const agents = await db
      .selectFrom('agents')
      .select('id')
      .where('status', '=', 'deleted')
      .where('id', '>', last)
      .orderBy('id')
      .limit(PORTION)
      .execute();
    if (agents.length === 0) return;
    const ids = agents.map(({ id }) => id);
    await db.transaction().execute(async (trx) => {
      for (const id of ids) await dropWebhook(trx, id);
      await trx.updateTable('agents').set(EMPTY).where('id', 'in', ids).execute();
      await dropPrekeys(trx, 'agent', ids);
      await trx.deleteFrom('pending_scopes').where('agent_id', 'in', ids).execute();
    });
    last = ids.at(-1)!;
  }
}

export function suspendAgent(platform: Platform, agentId: string): Promise<StatusReply> {
  return move(platform, agentId, { to: 'suspended', tell: suspendRelationsOf, note: 'agent.suspended' });
}

export async function resumeAgent(platform: Platform, agentId: string): Promise<StatusReply> {
  await reserveForRestoring(platform, agentId);
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
