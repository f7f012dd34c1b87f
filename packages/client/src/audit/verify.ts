import type { Crypto } from '@parley/e2ee';
import type { AuditProblem } from './problem.ts';
import { type Checkpoint, type Head, hashText, readSigned, readText } from './record.ts';
import type { AuditRecord, AuditVerification } from './types.ts';

/** A log as texts from any source. `at` is the position where a record was found, if there is one. */
export interface ChainTexts {
  readonly checkpoint: string | undefined;
  readonly records: readonly { readonly at?: number; readonly text: string }[];
  readonly head: string | undefined;
}

export interface Verifying {
  readonly crypto: Crypto;
  /** The device's identity key, in base64url. */
  readonly publicKey: string;
}

const fail = (problem: AuditProblem, seq: number): AuditVerification => ({ ok: false, problem, seq });

/** Finds whatever was edited, deleted, put in another place, or cut off at either end. */
export function verifyChain({ checkpoint, records, head }: ChainTexts, verifying: Verifying): AuditVerification {
  let seq = 0;
  let hash: string | null = null;
  if (checkpoint !== undefined) {
    const dropped = readSigned<Checkpoint>(checkpoint, 'parley-audit-checkpoint-v1', verifying);
    if (dropped === undefined) return fail('checkpoint_altered', 0);
    ({ seq, hash } = dropped);
  }
  for (const { at, text } of records) {
    const record = readText<AuditRecord>(text);
    if (record === undefined) return fail('record_altered', at ?? seq);
    if (at !== undefined && record.seq !== at) return fail('record_moved', at);
    if (record.seq !== seq) return fail(record.seq > seq ? 'record_missing' : 'record_moved', seq);
    // This record is intact, so the one before it was altered: its hash differs from `prev`.
    if (record.prev !== hash) return fail(seq === 0 ? 'record_altered' : 'record_before_altered', seq);
    hash = hashText(verifying.crypto, text);
    seq++;
  }
  return verifyHead(head, { seq, hash }, verifying);
}

/** The end of a chain: the number of records, and the hash of the last. */
interface End {
  readonly seq: number;
  readonly hash: string | null;
}

function verifyHead(text: string | undefined, { seq, hash }: End, verifying: Verifying): AuditVerification {
  // Nothing was ever written, or the head was removed.
  if (text === undefined) return seq === 0 ? { ok: true, entries: 0, head: null } : fail('head_missing', seq);
  const head = readSigned<Head>(text, 'parley-audit-head-v1', verifying);
  if (head === undefined) return fail('head_altered', seq);
  if (head.count > seq) return fail('record_missing', seq);
  if (head.count < seq) return fail('head_behind', head.count);
  if (head.hash !== hash) return fail('record_altered', seq - 1);
  if (head.broken !== null) return { ok: false, ...head.broken };
  return { ok: true, entries: seq, head: hash };
}

/** Finds the head to continue from by reading only the last record. */
export function findHead({ checkpoint, records, head: text }: ChainTexts, verifying: Verifying): Head {
  const { crypto } = verifying;
  const head = text === undefined ? undefined : readSigned<Head>(text, 'parley-audit-head-v1', verifying);
  const dropped =
    checkpoint === undefined ? undefined : readSigned<Checkpoint>(checkpoint, 'parley-audit-checkpoint-v1', verifying);
  const last = records.findLast(({ at }) => Number.isSafeInteger(at));
  const end: End =
    last === undefined
      ? { seq: dropped?.seq ?? 0, hash: dropped?.hash ?? null }
      : { seq: last.at! + 1, hash: hashText(crypto, last.text) };
  const found = verifyHead(text, end, verifying);
  const broken = head?.broken ?? (found.ok ? null : { problem: found.problem, seq: found.seq });
  // A number that was used is not used again, even if its record is gone.
  const count = Math.max(head?.count ?? 0, end.seq);
  return { purpose: 'parley-audit-head-v1', count, hash: end.hash, broken };
}
