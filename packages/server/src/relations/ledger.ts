import {
  entryBytes,
  entryHash,
  findContradiction,
  foldLedger,
  type LedgerEntry,
  type LedgerProblem,
} from '@parley/protocol';
import { RequestError } from '../http/request-error.ts';
import { lockListedDevice } from '../keys/device-list.ts';
import { isSignedBytes } from '../keys/signature.ts';
import type { Trx } from '../storage/database.ts';
import { type Consent, scopesWithLevels } from './consent.ts';
import { readSigners } from './signers.ts';
import { type LockedRelation, listEntries, type Relation } from './store.ts';

/** Agents and devices read the whole chain, and so does the server before it appends. */
const MAX_ENTRIES = 2_000;
const MAX_BYTES = 2 * 1024 * 1024;

export interface LedgerState {
  readonly ledger_length: number;
  readonly ledger_head: string | null;
  readonly signed: boolean;
}

/**
 * Appends an entry that says exactly what `consent` says, or nothing at all (RL-10). The relation is locked, so of two
 * entries with the same `prev` the second one is refused.
 */
export async function appendEntry(
  trx: Trx,
  { relation, agent }: Pick<LockedRelation, 'agent'> & { readonly relation: Relation },
  entry: LedgerEntry,
  consent: Consent | 'revoke',
): Promise<LedgerState> {
  const { id, account_id, agent_id, ledger_head, ledger_length } = relation;
  if (entry.relation_id !== id) throw refuse('relation');
  if (entry.account_id !== account_id || entry.agent_id !== agent_id) throw refuse('party');
  // One of the old form names neither its conversation nor the agent's key, and would grant nothing (EE-19).
  if (entry.version !== 2) throw refuse('version');
  if (entry.conversation_id !== relation.conversation_id) throw refuse('party');
  if (entry.seq !== ledger_length + 1 || entry.prev !== ledger_head) throw ledgerConflict(relation);
  const entries = await listEntries(trx, id);
  requireRoom(entries, entry);
  const last = await findLastCounting(trx, relation, entries);
  const contradiction = findContradiction(entry, last);
  if (contradiction !== undefined) throw refuse(contradiction);
  if ((entry.action === 'revoke') !== (consent === 'revoke')) throw refuse('action');
  // Who takes everything back need not have seen an agent's new key first.
  const isKnownKey = consent === 'revoke' && last?.version === 2 && entry.agent_key === last.agent_key;
  if (!isKnownKey && entry.agent_key !== agent.identity_key) throw refuse('party');
  if (consent === 'revoke') await requireManifest(trx, entry);
  else compareConsent(entry, consent);
  await requireSignature(trx, entry);

  const hash = entryHash(entry);
  await trx
    .insertInto('ledger_entries')
    .values({ relation_id: id, seq: entry.seq, hash, entry: JSON.stringify(entry) })
    .execute();
  return { ledger_length: ledger_length + 1, ledger_head: hash, signed: true };
}

/** There is always room for the end: who adds the agent again begins a new chain. */
function requireRoom(entries: readonly LedgerEntry[], entry: LedgerEntry): void {
  if (entry.action === 'revoke') return;
  const bytes = [...entries, entry].reduce((sum, one) => sum + JSON.stringify(one).length, 0);
  if (entries.length >= MAX_ENTRIES || bytes > MAX_BYTES)
    throw new RequestError('LIMIT_REACHED', { limit: MAX_ENTRIES });
}

/** The last entry that counts: not one that a device signed beyond what its revocation names (EE-18). */
async function findLastCounting(
  trx: Trx,
  { id, account_id }: Relation,
  entries: readonly LedgerEntry[],
): Promise<LedgerEntry | undefined> {
  if (entries.length === 0) return undefined;
  const signerOf = await readSigners(trx, account_id, { kind: 'ledger', id });
  // Each was verified when it was stored.
  const ledger = foldLedger(entries, { relationId: id, signerOf, verify: () => true });
  if (!ledger.ok) throw refuse(ledger.problem);
  return ledger.counting.at(-1);
}

function ledgerConflict({ ledger_head, ledger_length }: Relation): RequestError {
  return new RequestError('LEDGER_CONFLICT', {}, { details: { head: ledger_head, length: ledger_length } });
}

function refuse(problem: LedgerProblem): RequestError {
  return new RequestError('LEDGER_INVALID', { problem });
}

function compareConsent(entry: LedgerEntry, consent: Consent): void {
  if (entry.manifest_hash !== consent.hash || entry.manifest_version !== consent.version) throw refuse('manifest');
  const expected = new Map(scopesWithLevels(consent).map((scope) => [scope.id, scope.sensitivity]));
  const same = entry.scopes.every((scope) => expected.get(scope.id) === scope.sensitivity);
  if (!same || entry.scopes.length !== expected.size) throw refuse('scopes');
}

/** A revocation may name any earlier manifest, because it agrees to none. */
async function requireManifest(trx: Trx, entry: LedgerEntry): Promise<void> {
  if (entry.manifest_hash === null && entry.manifest_version === 0) return;
  const row = await trx
    .selectFrom('agent_manifests')
    .select('version')
    .where('agent_id', '=', entry.agent_id)
    .where('version', '=', entry.manifest_version)
    .where('hash', '=', entry.manifest_hash ?? '')
    .executeTakeFirst();
  if (row === undefined) throw refuse('manifest');
}

/** Only a listed device of this person may sign (EE-18). */
async function requireSignature(trx: Trx, entry: LedgerEntry): Promise<void> {
  const device = await lockListedDevice(trx, entry.account_id, entry.device_id);
  if (device === undefined) throw refuse('device');
  if (!isSignedBytes(entryBytes(entry), entry.signature, device.identity_key)) throw refuse('signature');
}
