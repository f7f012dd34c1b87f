import { type Crypto, chainVerifier } from '@parley/e2ee';
import {
  type BrokenLedger,
  type ChainMark,
  entryHash,
  foldLedger,
  type Grants,
  type LedgerEntry,
  readLedger,
  type Signer,
} from '@parley/protocol';
import type { Api } from '../api/api.ts';
import { messengerError } from '../errors.ts';
import type { Store } from '../stores/store.ts';
import type { Trust } from '../types.ts';
import { readChainPages } from './chain-pages.ts';

/** Whose ledger it must be: an entry about someone else's relation says nothing about this one. */
export interface LedgerOwner {
  readonly relationId: string;
  readonly agentId: string;
  readonly accountId: string;
}

/** All that an entry has to name to grant anything (EE-19). */
export interface ExpectedSubject extends LedgerOwner {
  readonly conversationId: string;
  readonly agentKey: string;
}

export interface VerifiedLedger extends Grants {
  readonly entries: readonly LedgerEntry[];
}

export interface LedgerDeps {
  readonly api: Pick<Api, 'call'>;
  readonly crypto: Crypto;
  /** Knows which devices the person has listed, now or in the past (EE-18). */
  readonly trust: Pick<Trust, 'signer'>;
}

/** What was verified before: the entries themselves, or how far they went. */
interface Before {
  readonly entries?: readonly LedgerEntry[] | undefined;
  readonly mark?: ChainMark | undefined;
}

/** Reads the grant ledger of a relation and believes nothing but the signatures of the person's devices (RL-10). */
export async function fetchLedger(
  deps: LedgerDeps,
  owner: LedgerOwner,
  { entries: known = [], mark = markOf(known) }: Before = {},
): Promise<VerifiedLedger | BrokenLedger> {
  const read = await readChainPages(
    async (after) => {
      const page = await deps.api.call(readLedger, {
        params: { relation_id: owner.relationId },
        query: { after: String(after) },
      });
      return { items: page.entries, length: page.length };
    },
    { known, minimum: mark?.length ?? 0 },
  );
  return read.ok ? verifyLedger(deps, owner, { entries: read.items, mark }) : read;
}

/** The same for entries that are at hand. */
export async function verifyLedger(
  { crypto, trust }: Pick<LedgerDeps, 'crypto' | 'trust'>,
  { relationId, agentId, accountId }: LedgerOwner,
  { entries, mark }: { readonly entries: readonly LedgerEntry[]; readonly mark?: ChainMark | undefined },
): Promise<VerifiedLedger | BrokenLedger> {
  const foreign = entries.findIndex((entry) => entry.agent_id !== agentId || entry.account_id !== accountId);
  if (foreign >= 0) return { ok: false, problem: 'party', seq: foreign + 1 };
  const signers = new Map<string, Signer | undefined>();
  for (const { device_id } of entries) {
    if (signers.has(device_id)) continue;
    signers.set(device_id, await trust.signer(accountId, device_id, { kind: 'ledger', id: relationId }));
  }
  const folded = foldLedger(entries, {
    relationId,
    signerOf: (deviceId) => signers.get(deviceId),
    verify: chainVerifier(crypto),
    ...(mark === undefined ? {} : { seen: mark }),
  });
  return folded.ok ? { ...folded, entries } : folded;
}

/**
 * Does the ledger speak of exactly this relation, in this conversation, to an agent with this key (EE-19)? Nothing that
 * it says counts otherwise.
 */
export function isAbout({ subject }: Pick<Grants, 'subject'>, expected: ExpectedSubject): boolean {
  return (
    subject !== undefined &&
    subject.relationId === expected.relationId &&
    subject.agentId === expected.agentId &&
    subject.accountId === expected.accountId &&
    subject.conversationId === expected.conversationId &&
    subject.agentKey === expected.agentKey
  );
}

interface MarkDeps extends LedgerDeps {
  readonly store: Store;
  /** Where the mark is kept: a server cannot roll the ledger back across a restart. */
  readonly markKey: string;
}

/** For those who keep no entries but only how far they have read. Throws LEDGER_BROKEN. */
export async function readMarkedLedger(deps: MarkDeps, expected: ExpectedSubject): Promise<VerifiedLedger> {
  const { store, markKey } = deps;
  const saved = await store.get(markKey);
  const mark = saved === undefined ? undefined : (JSON.parse(saved) as ChainMark);
  const ledger = await fetchLedger(deps, expected, { mark });
  if (!ledger.ok) throw messengerError('LEDGER_BROKEN', { params: { problem: ledger.problem, seq: ledger.seq } });
  const { length, head } = ledger;
  await store.write(new Map([[markKey, JSON.stringify({ length, head })]]));
  return isAbout(ledger, expected) ? ledger : { ...ledger, scopes: [] };
}

function markOf(entries: readonly LedgerEntry[]): ChainMark | undefined {
  const last = entries.at(-1);
  return last && { length: entries.length, head: entryHash(last) };
}
