import { type Crypto, entryVerifier } from '@parley/e2ee';
import type { Api, Store, Trust } from '@parley/messenger';
import {
  foldLedger,
  type Grants,
  type LedgerEntry,
  type LedgerProblem,
  type LedgerReading,
  readLedger,
  readRelation,
} from '@parley/protocol';
import type { Conversation } from './conversations.ts';

/** The chain of a relation is not what its person signed, or less of it than was seen before (RL-10). */
export class GrantsError extends Error {
  readonly code = 'LEDGER_BROKEN';
  readonly problem: LedgerProblem;

  constructor(problem: LedgerProblem, seq: number) {
    super(`The grant ledger cannot be trusted (entry ${seq}: ${problem}), so nothing counts as granted.`);
    this.name = 'GrantsError';
    this.problem = problem;
  }
}

export interface GrantsMeans {
  readonly api: Api;
  readonly store: Store;
  readonly crypto: Crypto;
  readonly trust: Trust;
  readonly agentId: string;
}

/** What the person has granted, by their own devices' signatures; scopes that wait for their answer do not count (RL-9). */
export async function readGrants(means: GrantsMeans, { person, relationId }: Conversation): Promise<Grants> {
  if (person === undefined || relationId === undefined) throw new TypeError('conversation: only one of two has grants');
  const { api, store, crypto } = means;
  const entries = await fetchEntries(api, relationId);
  const stranger = entries.find((entry) => entry.account_id !== person || entry.agent_id !== means.agentId);
  if (stranger !== undefined) throw new GrantsError('party', stranger.seq);

  const seenKey = `agent/ledger/${relationId}`;
  const saved = await store.get(seenKey);
  const keys = await deviceKeys(means.trust, person, entries);
  const reading: LedgerReading = { relationId, keyOf: (id) => keys.get(id), verify: entryVerifier(crypto) };
  const folded = foldLedger(entries, saved === undefined ? reading : { ...reading, seen: JSON.parse(saved) });
  if (!folded.ok) throw new GrantsError(folded.problem, folded.seq);

  const { length, head } = folded;
  await store.write(new Map([[seenKey, JSON.stringify({ length, head })]]));
  const relation = await api.call(readRelation, { params: { relation_id: relationId } });
  if (relation.pending_scopes.length === 0) return folded;
  const waiting = new Set(relation.pending_scopes);
  return { ...folded, scopes: folded.scopes.filter(({ id }) => !waiting.has(id)) };
}

async function fetchEntries(api: Api, relationId: string): Promise<LedgerEntry[]> {
  const entries: LedgerEntry[] = [];
  for (;;) {
    const page = await api.call(readLedger, {
      params: { relation_id: relationId },
      query: { after: String(entries.length) },
    });
    entries.push(...page.entries);
    if (page.entries.length === 0 || entries.length >= page.length) return entries;
  }
}

async function deviceKeys(trust: Trust, person: string, entries: readonly LedgerEntry[]): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const id of new Set(entries.map((entry) => entry.device_id))) {
    const key = await trust.deviceKey(person, id);
    if (key !== undefined) keys.set(id, key);
  }
  return keys;
}
