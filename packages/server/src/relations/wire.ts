import type { EventPayload, establishRelation, ReplyOf, readRelation } from '@parley/protocol';
import type { Relation, RelationView } from './store.ts';

export function toEstablished(relation: Relation): ReplyOf<typeof establishRelation> {
  return {
    relation_id: relation.id,
    conversation_id: relation.conversation_id,
    agent_id: relation.agent_id,
    granted_scopes: relation.granted_scopes,
    capability_manifest_version: relation.agreed_version,
    capability_manifest_hash: relation.agreed_hash,
  };
}

export function toRelation(view: RelationView): ReplyOf<typeof readRelation> {
  return {
    ...toEstablished(view),
    user_id: view.account_id,
    agent_name: view.agent_name,
    status: view.status,
    pending_scopes: [...view.pending_scopes],
    current_manifest_version: view.capability_manifest_version,
    current_manifest_hash: view.capability_manifest_hash,
    signed: view.signed,
    ledger_length: view.ledger_length,
    ledger_head: view.ledger_head,
    created_at: view.created_at.toISOString(),
    updated_at: view.updated_at.toISOString(),
    ended_at: view.ended_at?.toISOString() ?? null,
  };
}

export function toGrants(relation: Relation): EventPayload<'relation.established'> {
  return { ...toEstablished(relation), user_id: relation.account_id, signed: relation.signed };
}

export function toEnding(
  relation: Pick<Relation, 'id' | 'conversation_id' | 'agent_id' | 'account_id'>,
  reason: EventPayload<'relation.revoked'>['reason'],
): EventPayload<'relation.revoked'> {
  return {
    relation_id: relation.id,
    conversation_id: relation.conversation_id,
    agent_id: relation.agent_id,
    user_id: relation.account_id,
    reason,
  };
}
