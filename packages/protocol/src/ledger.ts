import { canonicalise, hashCanonical } from '@parley/documents';
import type { Static } from 'typebox';
import { closed, Id, Signature } from './formats.ts';
import * as Type from './schema/type.ts';
import { toUtf8 } from './utf8.ts';

// The grant ledger (RL-10, EE-6): what a person granted, as a chain of entries signed by that person's devices. Devices,
// agents and the server read the same bytes, so that none of them has to believe another.

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

export const LedgerScope = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 256 }),
    sensitivity: Type.Union([Type.Literal('low'), Type.Literal('medium'), Type.Literal('high')]),
  },
  closed,
);
export type LedgerScope = Static<typeof LedgerScope>;

export const LedgerEntry = Type.Object(
  {
    version: Type.Literal(1),
    relation_id: Id,
    seq: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The first entry has 1.' }),
    prev: Type.Union([Sha256, Type.Null()], { description: 'The hash of the entry before; null in the first.' }),
    action: Type.Union([Type.Literal('grant'), Type.Literal('change'), Type.Literal('revoke')]),
    agent_id: Id,
    account_id: Id,
    device_id: Id,
    scopes: Type.Array(LedgerScope, {
      maxItems: 2_000,
      description: 'All that is granted from now on, each with the level it had then; empty in a revocation.',
    }),
    manifest_hash: Type.Union([Sha256, Type.Null()], { description: 'Null where the agent has no manifest.' }),
    manifest_version: Type.Integer({ minimum: 0, maximum: 2_147_483_647 }),
    created_at: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?Z$' }),
    /** By the identity key of the device, over `entryBytes`. */
    signature: Signature,
  },
  closed,
);
export type LedgerEntry = Static<typeof LedgerEntry>;

/** Keeps a signature made for the ledger from meaning anything elsewhere, and the other way round. */
const DOMAIN = 'parley-ledger-v1\n';

/** What the device signs. */
export function entryBytes(entry: Omit<LedgerEntry, 'signature'> | LedgerEntry): Uint8Array {
  const { signature: _, ...unsigned } = entry as LedgerEntry;
  return toUtf8(DOMAIN + canonicalise(unsigned));
}

/** What the next entry names as `prev`. It covers the signature too. */
export function entryHash(entry: LedgerEntry): string {
  return hashCanonical(entry);
}

export interface LedgerReading {
  readonly relationId: string;
  /** The identity key of a device whose entries count; undefined for unknown, foreign and uncertified ones (EE-14). */
  keyOf(deviceId: string): string | undefined;
  verify(publicKey: string, bytes: Uint8Array, signature: string): boolean;
  /** The chain as it was when last read: it may have grown since, nothing else. */
  readonly seen?: { readonly length: number; readonly head: string | null };
}

export interface Grants {
  readonly ok: true;
  readonly length: number;
  readonly head: string | null;
  /** What is granted now; empty before the first entry and after a revocation. */
  readonly scopes: readonly LedgerScope[];
  readonly revoked: boolean;
  readonly manifestHash: string | null;
  readonly manifestVersion: number;
}

export type LedgerProblem =
  | 'relation'
  | 'seq'
  | 'prev'
  | 'action'
  | 'party'
  | 'scopes'
  | 'manifest'
  | 'device'
  | 'signature'
  /** It has fewer entries than were seen before: those seen count. */
  | 'shortened'
  /** The server claims more entries than it gives: one that takes something back may be among them. */
  | 'incomplete'
  | 'rewritten';

export interface BrokenLedger {
  readonly ok: false;
  readonly problem: LedgerProblem;
  /** Of the first entry that is wrong; of the first missing one if the chain became shorter. */
  readonly seq: number;
}

/** What a whole chain grants, or the first thing wrong with it: nothing is granted by a chain that is broken anywhere. */
export function foldLedger(entries: readonly LedgerEntry[], reading: LedgerReading): Grants | BrokenLedger {
  const { relationId, seen } = reading;
  if (seen !== undefined && entries.length < seen.length) {
    return { ok: false, problem: 'shortened', seq: entries.length + 1 };
  }
  let last: LedgerEntry | undefined;
  let head: string | null = null;
  for (const [index, entry] of entries.entries()) {
    const seq = index + 1;
    const problem =
      (entry.relation_id !== relationId && 'relation') ||
      findMisplacement(entry, last, head) ||
      findForgery(entry, reading);
    if (problem) return { ok: false, problem, seq };
    head = entryHash(entry);
    if (seen?.length === seq && seen.head !== head) return { ok: false, problem: 'rewritten', seq };
    last = entry;
  }
  return {
    ok: true,
    length: entries.length,
    head,
    scopes: last?.scopes ?? [],
    revoked: last?.action === 'revoke',
    manifestHash: last?.manifest_hash ?? null,
    manifestVersion: last?.manifest_version ?? 0,
  };
}

/** Does the entry stand where it says, after `last` whose hash is `head`? */
export function findMisplacement(
  entry: LedgerEntry,
  last: LedgerEntry | undefined,
  head: string | null,
): LedgerProblem | undefined {
  if (entry.seq !== (last?.seq ?? 0) + 1) return 'seq';
  if (entry.prev !== head) return 'prev';
  // A revocation is the end: who adds the agent again makes a new relation, with a chain of its own.
  if (last?.action === 'revoke' || (last === undefined ? entry.action === 'change' : entry.action === 'grant'))
    return 'action';
  if (last !== undefined && (entry.agent_id !== last.agent_id || entry.account_id !== last.account_id)) return 'party';
  if (last !== undefined && entry.manifest_version < last.manifest_version) return 'manifest';
  if (entry.action === 'revoke' && entry.scopes.length > 0) return 'scopes';
  if (new Set(entry.scopes.map((scope) => scope.id)).size !== entry.scopes.length) return 'scopes';
  return undefined;
}

function findForgery(entry: LedgerEntry, { keyOf, verify }: LedgerReading): LedgerProblem | undefined {
  const key = keyOf(entry.device_id);
  if (key === undefined) return 'device';
  return verify(key, entryBytes(entry), entry.signature) ? undefined : 'signature';
}
