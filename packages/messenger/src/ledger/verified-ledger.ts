import { type Crypto, entryVerifier } from '@parley/e2ee';
import { type BrokenLedger, entryHash, foldLedger, type Grants, type LedgerEntry, readLedger } from '@parley/protocol';
import type { Api } from '../api/api.ts';
import { messengerError } from '../errors.ts';
import type { Store } from '../stores/store.ts';
import type { Trust } from '../types.ts';

/** Whose ledger it must be: an entry about someone else's relation says nothing about this one. */
export interface LedgerSubject {
  readonly relationId: string;
  readonly agentId: string;
  readonly accountId: string;
}

/** How far the ledger was read before. It may have grown since; anything else is an attack. */
export interface LedgerMark {
  readonly length: number;
  readonly head: string | null;
}

export interface VerifiedLedger extends Grants {
  readonly entries: readonly LedgerEntry[];
}

export interface LedgerDeps {
  readonly api: Pick<Api, 'call'>;
  readonly crypto: Crypto;
  /** Knows which devices the person has certified, now or in the past (EE-14). */
  readonly trust: Pick<Trust, 'deviceKey'>;
}

/** Far more than a person can grant and revoke: a server that goes on is inventing entries. */
const MAX_ENTRIES = 100_000;

/** What was verified before: the entries themselves, or how far they went. */
interface Before {
  readonly entries?: readonly LedgerEntry[] | undefined;
  readonly mark?: LedgerMark | undefined;
}

/** Reads the grant ledger of a relation and believes nothing but the signatures of the person's devices (RL-10). */
export async function fetchLedger(
  deps: LedgerDeps,
  subject: LedgerSubject,
  { entries: known = [], mark = markOf(known) }: Before = {},
): Promise<VerifiedLedger | BrokenLedger> {
  const entries = [...known];
  let claimed = 0;
  for (;;) {
    const page = await deps.api.call(readLedger, {
      params: { relation_id: subject.relationId },
      query: { after: String(entries.length) },
    });
    entries.push(...page.entries);
    const seq = Math.min(page.length, entries.length) + 1;
    const isEmpty = page.entries.length === 0 && entries.length < page.length;
    const given = isEmpty ? entries.length : page.length;
    if (given < (mark?.length ?? 0)) return { ok: false, problem: 'shortened', seq };
    if (page.length < claimed || isEmpty || entries.length > MAX_ENTRIES)
      return { ok: false, problem: 'incomplete', seq };
    claimed = page.length;
    if (entries.length >= page.length) return verifyLedger(deps, subject, { entries, mark });
  }
}

/** The same for entries that are at hand. */
export async function verifyLedger(
  { crypto, trust }: Pick<LedgerDeps, 'crypto' | 'trust'>,
  { relationId, agentId, accountId }: LedgerSubject,
  { entries, mark }: { readonly entries: readonly LedgerEntry[]; readonly mark?: LedgerMark | undefined },
): Promise<VerifiedLedger | BrokenLedger> {
  const foreign = entries.findIndex((entry) => entry.agent_id !== agentId || entry.account_id !== accountId);
  if (foreign >= 0) return { ok: false, problem: 'party', seq: foreign + 1 };
  const keys = new Map<string, string | undefined>();
  for (const { device_id } of entries) {
    if (!keys.has(device_id)) keys.set(device_id, await trust.deviceKey(accountId, device_id));
  }
  const folded = foldLedger(entries, {
    relationId,
    keyOf: (deviceId) => keys.get(deviceId),
    verify: entryVerifier(crypto),
    ...(mark === undefined ? {} : { seen: mark }),
  });
  return folded.ok ? { ...folded, entries } : folded;
}

interface MarkDeps extends LedgerDeps {
  readonly store: Store;
  /** Where the mark is kept: a server cannot roll the ledger back across a restart. */
  readonly markKey: string;
}

/** For those who keep no entries but only how far they have read. Throws LEDGER_BROKEN. */
export async function readMarkedLedger(deps: MarkDeps, subject: LedgerSubject): Promise<VerifiedLedger> {
  const { store, markKey } = deps;
  const saved = await store.get(markKey);
  const mark = saved === undefined ? undefined : (JSON.parse(saved) as LedgerMark);
  const ledger = await fetchLedger(deps, subject, { mark });
  if (!ledger.ok) throw messengerError('LEDGER_BROKEN', { params: { problem: ledger.problem, seq: ledger.seq } });
  const { length, head } = ledger;
  await store.write(new Map([[markKey, JSON.stringify({ length, head })]]));
  return ledger;
}

function markOf(entries: readonly LedgerEntry[]): LedgerMark | undefined {
  const last = entries.at(-1);
  return last && { length: entries.length, head: entryHash(last) };
}
