import type { Store } from '@parley/messenger';
import { entryHash, type GroupStatement, groupStatementHash, type LedgerEntry } from '@parley/protocol';

export interface ChainHead {
  readonly kind: 'ledger' | 'group';
  readonly id: string;
  readonly length: number;
  readonly head: string;
}

const LEDGERS = 'client/relation/';
const GROUPS = 'members/';

/** Where the ledgers and groups end that this device knows: a revocation names them (EE-18). */
export async function readChainHeads(store: Pick<Store, 'list'>): Promise<readonly ChainHead[]> {
  const heads: ChainHead[] = [];
  for (const [key, text] of await store.list(LEDGERS)) {
    const { entries } = JSON.parse(text) as { entries: readonly LedgerEntry[] };
    const last = entries.at(-1);
    const id = key.slice(LEDGERS.length);
    if (last !== undefined) heads.push({ kind: 'ledger', id, length: entries.length, head: entryHash(last) });
  }
  for (const [key, text] of await store.list(GROUPS)) {
    const statements = JSON.parse(text) as readonly GroupStatement[];
    const last = statements.at(-1);
    const id = key.slice(GROUPS.length);
    if (last !== undefined)
      heads.push({ kind: 'group', id, length: statements.length, head: groupStatementHash(last) });
  }
  return heads;
}
