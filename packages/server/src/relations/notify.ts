import type { EventPayload, EventType } from '@parley/protocol';
import { ROW_BYTES } from '../budgets/row-bytes.ts';
import type { Recipient } from '../events/events.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { toAgentEvent } from './agent-event.ts';
import type { Relation } from './store.ts';

/** Call it once the transaction has committed. */
export type AfterCommit = () => void;

/** What an event to both sides costs, with so many bytes of scopes (OP-1). */
export const relationEventBytes = (scopes: number): number => 2 * eventBytes(scopes);
/** What an event about a relation costs, with so many bytes of scopes. */
export const eventBytes = (scopes: number): number => ROW_BYTES.event + FIELDS + scopes;
/** Of such an event, everything but the scopes. */
const FIELDS = 400;

/**
 * Sends one event to both sides of a relation: the agent, and the person, who may have other devices. It counts for the
 * person, unless someone else caused it (OP-1).
 */
export async function notifyBoth<Name extends EventType>(
  platform: Platform,
  trx: Trx,
  relation: Pick<Relation, 'account_id' | 'agent_id'>,
  type: Name,
  payload: EventPayload<Name>,
  causedBy: string = relation.account_id,
): Promise<AfterCommit> {
  const recipients: Recipient[] = [
    { kind: 'human', id: relation.account_id },
    { kind: 'agent', id: relation.agent_id },
  ];
  await platform.events.store(trx, recipients, type, payload, causedBy);
  const note = toAgentEvent(type, payload);
  return () => {
    platform.events.wake(recipients);
    if (note !== undefined) platform.agentEvents.record(relation.agent_id, note);
  };
}

interface ToldAgent {
  readonly agentId: string;
  readonly causedBy: string;
}

export async function notifyAgent<Name extends EventType>(
  platform: Platform,
  trx: Trx,
  { agentId, causedBy }: ToldAgent,
  type: Name,
  payload: EventPayload<Name>,
): Promise<AfterCommit> {
  const recipients: Recipient[] = [{ kind: 'agent', id: agentId }];
  await platform.events.store(trx, recipients, type, payload, causedBy);
  const note = toAgentEvent(type, payload);
  return () => {
    platform.events.wake(recipients);
    if (note !== undefined) platform.agentEvents.record(agentId, note);
  };
}

const PAGE = 1_000;

/**
 * Wakes the people who have added an agent, page by page: there may be more of them than fit into memory. Their events
 * are stored, so those who are not woken get them later.
 */
export function wakePeople(platform: Platform, agentId: string, endedSince?: Date): void {
  void wakePages(platform, agentId, endedSince).catch((error: unknown) => {
    platform.log.warn({ err: error, agent_id: agentId }, 'relations: not everyone was woken');
  });
}

async function wakePages({ bus, db, events }: Platform, agentId: string, endedSince: Date | undefined): Promise<void> {
  let last = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await db
      .selectFrom('h2a_relations')
      .select(['id', 'account_id'])
      .where('agent_id', '=', agentId)
      .where('id', '>', last)
      .where((where) =>
        where.or([where('status', '<>', 'ended'), ...(endedSince ? [where('ended_at', '>=', endedSince)] : [])]),
      )
      .orderBy('id')
      .limit(PAGE)
      .execute();
    events.wake(rows.map((row) => ({ kind: 'human', id: row.account_id })));
    if (rows.length < PAGE) return;
    await bus.settled();
    last = rows.at(-1)!.id;
  }
}
