import type { Static } from 'typebox';
import { closed, Id, PublicKey, Signature } from '../formats.ts';
import * as Type from '../schema/type.ts';
import {
  type ChainMark,
  chainHash,
  checkLinks,
  countsUntil,
  type LinkProblem,
  link,
  Sha256,
  type Signer,
  signedBytes,
  type Verify,
} from './chain.ts';

// The grant ledger (RL-10, EE-6): what a person granted, as a chain of entries signed by that person's devices.

export const LedgerScope = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 256 }),
    sensitivity: Type.Union([Type.Literal('low'), Type.Literal('medium'), Type.Literal('high')]),
  },
  closed,
);
export type LedgerScope = Static<typeof LedgerScope>;

const common = {
  relation_id: Id,
  ...link,
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
  /** By the identity key of the device, over `entryBytes`. */
  signature: Signature,
};

/** The form of before: it names neither the conversation nor the agent's key, so it grants nothing until signed anew. */
const OldEntry = Type.Object({ version: Type.Literal(1), ...common }, closed);
/** EE-19: an entry names its whole subject. */
const NewEntry = Type.Object(
  { version: Type.Literal(2), ...common, conversation_id: Id, agent_key: PublicKey },
  closed,
);
export const LedgerEntry = Type.Union([NewEntry, OldEntry]);
export type LedgerEntry = Static<typeof LedgerEntry>;
export type BoundEntry = Static<typeof NewEntry>;

/** Keeps a signature made for the ledger from meaning anything elsewhere, and the other way round. */
const DOMAINS = { 1: 'parley-ledger-v1', 2: 'parley-ledger-v2' } as const;

type UnsignedEntry = Omit<BoundEntry, 'signature'> | Omit<Static<typeof OldEntry>, 'signature'>;

/** What the device signs. */
export function entryBytes(entry: UnsignedEntry | LedgerEntry): Uint8Array {
  return signedBytes(DOMAINS[entry.version], entry);
}

/** What the next entry names as `prev`. It covers the signature too. */
export function entryHash(entry: LedgerEntry): string {
  return chainHash(entry);
}

export interface LedgerReading {
  readonly relationId: string;
  /** A device whose entries count; undefined for unknown, foreign and unlisted ones (EE-18). */
  signerOf(deviceId: string): Signer | undefined;
  readonly verify: Verify;
  /** The chain as it was when last read: it may have grown since, nothing else. */
  readonly seen?: ChainMark;
}

/** EE-19: whom the entry that counts is about. Each is compared with the row it came with. */
export interface LedgerSubject {
  readonly relationId: string;
  readonly agentId: string;
  readonly accountId: string;
  readonly conversationId: string;
  readonly agentKey: string;
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
  /** Undefined before the first entry, and where the last one that counts is of the old form. */
  readonly subject: LedgerSubject | undefined;
  /** The entries that count. Those that a revoked device signed too late give nothing (EE-18). */
  readonly counting: readonly LedgerEntry[];
}

export type LedgerProblem =
  | LinkProblem
  | 'relation'
  | 'action'
  | 'party'
  | 'scopes'
  | 'manifest'
  | 'version'
  | 'device'
  | 'signature'
  /** The server claims more entries than it gives: one that takes something back may be among them. */
  | 'incomplete';

export interface BrokenLedger {
  readonly ok: false;
  readonly problem: LedgerProblem;
  /** Of the first entry that is wrong; of the first missing one if the chain became shorter. */
  readonly seq: number;
}

/** What a whole chain grants, or the first thing wrong with it: nothing is granted by a chain that is broken anywhere. */
export function foldLedger(entries: readonly LedgerEntry[], reading: LedgerReading): Grants | BrokenLedger {
  const links = checkLinks(entries, reading.seen);
  if (!links.ok) return links;
  const limits = new Map<string, number>();
  const counting: LedgerEntry[] = [];
  let scopes: readonly LedgerScope[] = [];
  for (const entry of entries) {
    const { seq, device_id } = entry;
    if (entry.relation_id !== reading.relationId) return { ok: false, problem: 'relation', seq };
    const signer = reading.signerOf(device_id);
    if (signer === undefined && isOfBefore(entry, counting)) {
      scopes = withoutRevoked(scopes, entry);
      continue;
    }
    if (signer === undefined) return { ok: false, problem: 'device', seq };
    if (!reading.verify(signer.key, entryBytes(entry), entry.signature))
      return { ok: false, problem: 'signature', seq };
    if (!limits.has(device_id)) limits.set(device_id, countsUntil(signer, links.heads));
    if (seq > limits.get(device_id)!) {
      scopes = withoutRevoked(scopes, entry);
      continue;
    }
    const problem = findContradiction(entry, counting.at(-1));
    if (problem !== undefined) return { ok: false, problem, seq };
    counting.push(entry);
    scopes = entry.scopes;
  }
  const last = counting.at(-1);
  return {
    ok: true,
    length: entries.length,
    head: links.heads.at(-1) ?? null,
    scopes,
    revoked: last?.action === 'revoke',
    manifestHash: last?.manifest_hash ?? null,
    manifestVersion: last?.manifest_version ?? 0,
    subject: subjectOf(last),
    counting,
  };
}

/**
 * By a device that was revoked before there was a list, which knows nothing of it (EE-14). The old form grants nothing
 * anyway: it is void, and whoever goes on with the chain is not kept from it.
 */
function isOfBefore(entry: LedgerEntry, counting: readonly LedgerEntry[]): boolean {
  return entry.version === 1 && counting.at(-1)?.version !== 2;
}

/** A void entry gives nothing, but what it takes away stays away until one that counts grants it again. */
function withoutRevoked(granted: readonly LedgerScope[], entry: LedgerEntry): readonly LedgerScope[] {
  const left = new Set(entry.scopes.map(({ id }) => id));
  return granted.filter(({ id }) => left.has(id));
}

function subjectOf(entry: LedgerEntry | undefined): LedgerSubject | undefined {
  if (entry?.version !== 2) return undefined;
  return {
    relationId: entry.relation_id,
    agentId: entry.agent_id,
    accountId: entry.account_id,
    conversationId: entry.conversation_id,
    agentKey: entry.agent_key,
  };
}

/** May the entry follow `last`, the one before it that counts? Where it stands in the chain is checked elsewhere. */
export function findContradiction(entry: LedgerEntry, last: LedgerEntry | undefined): LedgerProblem | undefined {
  // A revocation is the end: who adds the agent again makes a new relation, with a chain of its own.
  if (last?.action === 'revoke' || (entry.seq === 1 ? entry.action === 'change' : entry.action === 'grant'))
    return 'action';
  if (entry.action === 'revoke' && entry.scopes.length > 0) return 'scopes';
  if (new Set(entry.scopes.map((scope) => scope.id)).size !== entry.scopes.length) return 'scopes';
  if (last === undefined) return undefined;
  if (entry.version < last.version) return 'version';
  if (entry.agent_id !== last.agent_id || entry.account_id !== last.account_id) return 'party';
  if (entry.version === 2 && last.version === 2 && entry.conversation_id !== last.conversation_id) return 'party';
  return entry.manifest_version < last.manifest_version ? 'manifest' : undefined;
}
