import type { Conversation } from '@parley/messenger';
import { type LedgerDeps, readMarkedLedger, readPendingScopes, type Store } from '@parley/messenger';
import type { Grants } from '@parley/protocol';

interface GrantsDeps extends LedgerDeps {
  readonly store: Store;
  readonly agentId: string;
  /** The agent's own public key: what was granted to another one under its id was not granted to it (EE-19). */
  readonly identityKey: string;
}

/** A conversation of two as it was pinned: who and which relation it is, no row of the server says (EE-20). */
interface PinnedConversation extends Pick<Conversation, 'members' | 'relationId'> {
  readonly conversationId: string;
}

/** Reads what the person's own devices signed as granted; scopes that wait for re-authorisation do not count (RL-9). */
export async function readGrants(deps: GrantsDeps, pinned: PinnedConversation): Promise<Grants> {
  const { conversationId, members, relationId } = pinned;
  const person = members.find(({ kind }) => kind === 'human')?.id;
  if (person === undefined || relationId === undefined) throw new TypeError('conversation: only one of two has grants');
  const { entries: _, ...grants } = await readMarkedLedger(
    { ...deps, markKey: `agent/ledger/${relationId}` },
    { relationId, agentId: deps.agentId, accountId: person, conversationId, agentKey: deps.identityKey },
  );
  const waiting = await readPendingScopes(deps.api, relationId);
  return { ...grants, scopes: grants.scopes.filter(({ id }) => !waiting.has(id)) };
}
