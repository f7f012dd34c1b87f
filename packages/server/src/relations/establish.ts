import type { BodyOf, establishRelation } from '@parley/protocol';
import { ROW_BYTES } from '../budgets/row-bytes.ts';
import { createConversation } from '../conversations/create.ts';
import { conversationBytes } from '../conversations/room.ts';
import { RequestError } from '../http/request-error.ts';
import { createId } from '../id.ts';
import { findBlockers, hasBlocked } from '../people/blocks.ts';
import { lockPair } from '../people/contacts.ts';
import type { Platform } from '../platform.ts';
import type { Trx } from '../storage/database.ts';
import { type Consent, consentTo, requireScopes } from './consent.ts';
import { appendEntry } from './ledger.ts';
import { notifyBoth, relationEventBytes } from './notify.ts';
import { findActiveRelation, lockAgentShared, type Relation, type RelationAgent } from './store.ts';
import { toGrants } from './wire.ts';

type Input = BodyOf<typeof establishRelation>;

/** Stores the relation, its conversation, its first ledger entry and the events, or none of them (RL-6). */
export async function establish(platform: Platform, accountId: string, input: Input): Promise<Relation> {
  const entryBytes = input.ledger_entry === undefined ? 0 : JSON.stringify(input.ledger_entry).length;
  const eventBytes = relationEventBytes(JSON.stringify(input.granted_scopes).length);
  const bytes = ROW_BYTES.relation + conversationBytes(2) + entryBytes + eventBytes;
  await platform.budgets.reserveBytes(accountId, bytes);
  const { relation, wake } = await platform.db.transaction().execute(async (trx) => {
    const agent = await requireAgent(trx, input.agent_id, accountId);
    const { granted_scopes, ledger_entry: entry } = input;
    const consent = consentTo(agent, granted_scopes, input.manifest_hash ?? entry?.manifest_hash);
    requireScopes(consent);
    const unsigned = await insert(platform, trx, { accountId, input, consent });
    const relation = entry
      ? { ...unsigned, ...(await appendEntry(trx, { relation: unsigned, agent }, entry, consent)) }
      : unsigned;
    if (entry) await storeLedgerState(trx, relation);
    // Not sooner: it would tell whose agents are whose to callers who mean to add none (AC-7).
    if (await hasBlocked(trx, accountId, agent.owner_id)) throw new RequestError('ACCOUNT_BLOCKED');
    return { relation, wake: await notifyBoth(platform, trx, relation, 'relation.established', toGrants(relation)) };
  });
  wake();
  return relation;
}

/**
 * A private agent exists only for its owner, an agent of a banned owner for nobody, and neither does it for whom its owner has
 * blocked (AC-6).
 */
async function requireAgent(trx: Trx, agentId: string, accountId: string): Promise<RelationAgent> {
  await lockPairWithOwner(trx, agentId, accountId);
  const agent = await lockAgentShared(trx, agentId);
  if (agent === undefined || (agent.visibility === 'private' && agent.owner_id !== accountId)) {
    throw new RequestError('NOT_FOUND');
  }
  if ((await findBlockers(trx, accountId, [agent.owner_id])).size > 0) throw new RequestError('NOT_FOUND');
  if (agent.status === 'suspended') throw new RequestError('AGENT_SUSPENDED');
  if (agent.status !== 'active' || !(await isOwned(trx, agent))) throw new RequestError('NOT_FOUND');
  return agent;
}

/** Before the agent's own lock, as for whoever blocks; they end what there is, and would miss a relation that is being made. */
async function lockPairWithOwner(trx: Trx, agentId: string, accountId: string): Promise<void> {
  const found = await trx.selectFrom('agents').select('owner_id').where('id', '=', agentId).executeTakeFirst();
  if (found !== undefined && found.owner_id !== accountId) await lockPair(trx, accountId, found.owner_id);
}

async function isOwned(trx: Trx, { owner_id }: RelationAgent): Promise<boolean> {
  const owner = await trx.selectFrom('accounts').select('status').where('id', '=', owner_id).executeTakeFirst();
  return owner?.status === 'active';
}

interface NewRelation {
  readonly accountId: string;
  readonly input: Input;
  readonly consent: Consent;
}

async function insert(platform: Platform, trx: Trx, { accountId, input, consent }: NewRelation): Promise<Relation> {
  const now = platform.now();
  const { ledger_entry: entry } = input;
  const conversationId = await createConversation(trx, {
    id: input.conversation_id ?? (entry?.version === 2 ? entry.conversation_id : undefined),
    kind: 'h2a',
    members: [
      { kind: 'human', id: accountId, role: 'owner' },
      { kind: 'agent', id: input.agent_id, role: 'member' },
    ],
    now,
  });
  if (conversationId === undefined) throw await findConflict(trx, accountId, input);
  const row = await trx
    .insertInto('h2a_relations')
    .values({
      id: input.relation_id ?? entry?.relation_id ?? createId(now),
      account_id: accountId,
      agent_id: input.agent_id,
      conversation_id: conversationId,
      granted_scopes: JSON.stringify(input.granted_scopes),
      agreed_version: consent.version,
      agreed_hash: consent.hash,
      agreed_mode: consent.mode,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
  if (row) return row;
  throw await findConflict(trx, accountId, input);
}

/** Whoever asks again because a reply was lost is told of the relation, not that the ids are taken: by that one. */
async function findConflict(trx: Trx, accountId: string, { agent_id }: Input): Promise<RequestError> {
  const existing = await findActiveRelation(trx, accountId, agent_id);
  return existing ? new RequestError('RELATION_EXISTS', { relation_id: existing.id }) : new RequestError('ID_TAKEN');
}

async function storeLedgerState(trx: Trx, { id, ledger_length, ledger_head, signed }: Relation): Promise<void> {
  await trx.updateTable('h2a_relations').set({ ledger_length, ledger_head, signed }).where('id', '=', id).execute();
}
