import {
  type BrokenLedger,
  entryHash,
  foldLedger,
  type LedgerEntry,
  listedSigner,
  listRelations,
  type QueryOf,
  type ReplyOf,
  readRelation,
} from '@parley/protocol';
import type { Api } from '../api/api.ts';
import { messengerError } from '../errors.ts';
import type { Trust } from '../types.ts';
import type { ConversationBinder } from './conversations.ts';
import type { SeenList } from './device-lists.ts';
import { fetchLedger, type LedgerDeps, type VerifiedLedger, verifyLedger } from './ledger.ts';

export type RelationRow = ReplyOf<typeof readRelation>;

/** A row as the server gave it. It says nothing until it was bound, so nothing else of it can be read (EE-15). */
export interface UnboundRelation {
  readonly relation_id: string;
}

/** A relation whose row was compared with what the person's devices signed (EE-19). */
export interface BoundRelation {
  readonly row: RelationRow;
  /** As far as it was verified. */
  readonly ledger: VerifiedLedger;
  readonly problem: BrokenLedger['problem'] | undefined;
}

export interface RelationBinder {
  /** Asks the server for one page of the account's relations. */
  readPage(query: QueryOf<typeof listRelations>): Promise<{
    readonly rows: readonly UnboundRelation[];
    readonly next_cursor: string | null;
  }>;
  read(relationId: string): Promise<UnboundRelation>;
  /**
   * Undefined if the row contradicts what was signed, or what was pinned: then it says nothing, and what was known of
   * the relation stays as it is.
   */
  bind(row: UnboundRelation, before: BoundRelation | undefined): Promise<BoundRelation | undefined>;
  /** The same for a relation of the last run, whose server is not asked. */
  restore(stored: { row: RelationRow; entries: readonly LedgerEntry[] }): Promise<BoundRelation>;
}

export interface RelationBinderDeps extends LedgerDeps {
  readonly accountId: string;
  readonly trust: Pick<Trust, 'signer'>;
  readonly conversations: Pick<ConversationBinder, 'bind'>;
  /** The list of the own account as it was seen last. */
  loadOwnList(): Promise<SeenList | undefined>;
  refused(relationId: string): void;
  /** The ledger does not verify, or the server shows less of it than before. */
  broken(relationId: string, problem: BrokenLedger['problem']): void;
}

export function createRelationBinder(deps: RelationBinderDeps): RelationBinder {
  const { accountId, conversations } = deps;
  const ownerOf = (row: RelationRow) => ({ relationId: row.relation_id, agentId: row.agent_id, accountId });

  /** Every time, also where the chain has not grown: the row may be another one (EE-15). */
  const fits = (row: RelationRow, before: BoundRelation | undefined, { entries, subject }: VerifiedLedger): boolean => {
    if (row.user_id !== accountId) return false;
    const known = before?.row;
    if (known !== undefined && (known.agent_id !== row.agent_id || known.conversation_id !== row.conversation_id)) {
      return false;
    }
    if (entries.some(({ agent_id, account_id }) => agent_id !== row.agent_id || account_id !== accountId)) return false;
    return subject === undefined || subject.conversationId === row.conversation_id;
  };

  const readNewer = async (row: RelationRow, before: BoundRelation | undefined) => {
    const known = before?.ledger;
    const isSame = known !== undefined && row.ledger_head === known.head && row.ledger_length === known.length;
    // The devices of the account may have changed, although the chain has not: what a revoked one signed may be void.
    const verifyKnown = (entries: readonly LedgerEntry[]) =>
      verifyLedger(deps, ownerOf(entries.length > 0 ? before!.row : row), { entries });
    const reading = isSame
      ? await verifyKnown(known.entries)
      : await fetchLedger(deps, ownerOf(row), { entries: known?.entries });
    if (reading.ok) return { ledger: reading, problem: undefined };
    deps.broken(row.relation_id, reading.problem);
    // In any case but this one an entry may be missing that takes something back, so nothing counts.
    if (reading.problem !== 'shortened' || known === undefined) {
      return { ledger: known ?? EMPTY, problem: reading.problem };
    }
    // The server shows fewer entries than before: the longer chain counts, as far as those who signed it still do.
    const again = await verifyKnown(known.entries);
    return again.ok ? { ledger: again, problem: before?.problem } : { ledger: known, problem: again.problem };
  };

  return {
    readPage: async (query) => {
      const { relations, next_cursor } = await deps.api.call(listRelations, { query });
      return { rows: relations, next_cursor };
    },
    read: async (relationId) => {
      const row = await deps.api.call(readRelation, { params: { relation_id: relationId } });
      // Another relation's row would be taken out of its turn, and could undo what was read of it in the meantime.
      if (row.relation_id === relationId) return row;
      deps.refused(relationId);
      throw messengerError('CONVERSATION_CHANGED');
    },
    bind: async (unbound, before) => {
      const row = unbound as RelationRow;
      const { ledger, problem } = await readNewer(row, before);
      if (!fits(row, before, ledger)) {
        deps.refused(row.relation_id);
        return undefined;
      }
      const pair = {
        kind: 'h2a' as const,
        other: { kind: 'agent' as const, id: row.agent_id },
        relationId: row.relation_id,
        signed: ledger.subject !== undefined && problem === undefined,
      };
      try {
        await conversations.bind(row.conversation_id, pair);
      } catch {
        deps.refused(row.relation_id);
        return undefined;
      }
      return { row, ledger, problem };
    },
    restore: async ({ row, entries }) => {
      const seen = await deps.loadOwnList();
      const chain = { kind: 'ledger' as const, id: row.relation_id };
      const signerOf = (deviceId: string) => {
        if (seen === undefined) return { key: '' };
        return seen.forked ? undefined : listedSigner(seen.list, deviceId, chain);
      };
      const folded = foldLedger(entries, {
        relationId: row.relation_id,
        signerOf,
        // Verified when it was written.
        verify: () => true,
      });
      return folded.ok
        ? { row, ledger: { ...folded, entries }, problem: undefined }
        : // Nothing counts, but how far it went is not forgotten: the server could begin it anew.
          { row, ledger: { ...EMPTY, ...endOf(entries), entries }, problem: folded.problem };
    },
  };
}

/** Scopes that wait for re-authorisation (RL-9). They are the server's word alone, which may only take away. */
export async function readPendingScopes(api: Pick<Api, 'call'>, relationId: string): Promise<ReadonlySet<string>> {
  const row = await api.call(readRelation, { params: { relation_id: relationId } });
  return new Set(row.pending_scopes);
}

function endOf(entries: readonly LedgerEntry[]): { length: number; head: string | null } {
  const last = entries.at(-1);
  return { length: entries.length, head: last === undefined ? null : entryHash(last) };
}

const EMPTY: VerifiedLedger = {
  ok: true,
  length: 0,
  head: null,
  scopes: [],
  revoked: false,
  manifestHash: null,
  manifestVersion: 0,
  subject: undefined,
  counting: [],
  entries: [],
};
