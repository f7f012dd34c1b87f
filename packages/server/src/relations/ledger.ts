import { entryBytes, entryHash, findMisplacement, type LedgerEntry, type LedgerProblem } from '@parley/protocol';
import { RequestError } from '../http/request-error.ts';
import { isSignedBytes } from '../keys/signature.ts';
import type { Trx } from '../storage/database.ts';
import { type Consent, scopesWithLevels } from './consent.ts';
import { findLastEntry, type Relation } from './store.ts';

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
  relation: Relation,
  entry: LedgerEntry,
  consent: Consent | 'revoke',
): Promise<LedgerState> {
  const { id, account_id, agent_id, ledger_head, ledger_length } = relation;
  if (entry.relation_id !== id) throw refuse('relation');
  if (entry.account_id !== account_id || entry.agent_id !== agent_id) throw refuse('party');
  const misplaced = findMisplacement(entry, await findLastEntry(trx, relation), ledger_head);
  if (misplaced === 'seq' || misplaced === 'prev') throw ledgerConflict(relation);
  if (misplaced !== undefined) throw refuse(misplaced);
  if ((entry.action === 'revoke') !== (consent === 'revoke')) throw refuse('action');
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

/** Only a certified device of this person may sign (EE-14). */
async function requireSignature(trx: Trx, entry: LedgerEntry): Promise<void> {
  const device = await trx
    .selectFrom('devices')
    .select('identity_key')
    .where('id', '=', entry.device_id)
    .where('account_id', '=', entry.account_id)
    .where('revoked_at', 'is', null)
    .where('certificate', 'is not', null)
    .forShare()
    .executeTakeFirst();
  if (device === undefined) throw refuse('device');
  if (!isSignedBytes(entryBytes(entry), entry.signature, device.identity_key)) throw refuse('signature');
}
