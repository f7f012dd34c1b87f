import type { Conversation } from '@parley/messenger';
import { type LedgerDeps, readMarkedLedger, type Store } from '@parley/messenger';
import { type Grants, readRelation } from '@parley/protocol';

interface GrantsDeps extends LedgerDeps {
  readonly store: Store;
  readonly agentId: string;
}

/** Reads what the person's own devices signed as granted; scopes that wait for re-authorisation do not count (RL-9). */
export async function readGrants(deps: GrantsDeps, { members, relationId }: Conversation): Promise<Grants> {
  const person = members.find(({ kind }) => kind === 'human')?.id;
  if (person === undefined || relationId === undefined) throw new TypeError('conversation: only one of two has grants');
  const subject = { relationId, agentId: deps.agentId, accountId: person };
  const { entries: _, ...grants } = await readMarkedLedger({ ...deps, markKey: `agent/ledger/${relationId}` }, subject);
  const relation = await deps.api.call(readRelation, { params: { relation_id: relationId } });
  if (relation.pending_scopes.length === 0) return grants;
  const waiting = new Set(relation.pending_scopes);
  return { ...grants, scopes: grants.scopes.filter(({ id }) => !waiting.has(id)) };
}
