import { canonicalise, type JsonObject } from '@parley/documents';
import { type Crypto, signStatement, toBase64Url, toHex, verifyStatement } from '@parley/e2ee';
import type { AuditEntry, AuditRecord } from './types.ts';

// What the log consists of. Records are kept as their canonical text, and chained by the hash of that text.

/** The number of records and the hash of the last one: without it, the end could be cut off unnoticed. */
export interface Head {
  readonly purpose: 'parley-audit-head-v1';
  readonly count: number;
  readonly hash: string | null;
  /** The problem that was found when the log was opened. It stays: new records must not hide it. */
  readonly broken: { readonly problem: string; readonly seq: number } | null;
}

/** Replaces dropped records: those before `seq`, the last of which has `hash`. */
export interface Checkpoint {
  readonly purpose: 'parley-audit-checkpoint-v1';
  readonly seq: number;
  readonly hash: string;
  readonly pruned_at: string;
}

type Signed<Statement> = Statement & { readonly signature: string };

export interface Signer {
  readonly crypto: Crypto;
  /** The device's identity key. */
  readonly identity: { readonly publicKey: Uint8Array; readonly privateKey: Uint8Array };
}

const DIGEST = /^[0-9a-f]{64}$/;

/** Copies only the fields of the log: an object may carry more than its type says. */
export function toRecord(entry: AuditEntry, seq: number, prev: string | null): AuditRecord {
  const { call_id, agent_id, conversation_id, tool_name, scope, arguments_digest, status, reason, approval } = entry;
  const { manifest_hash, timestamp } = entry;
  if (!DIGEST.test(arguments_digest)) throw new TypeError('arguments_digest must be SHA-256 in hex');
  return {
    seq,
    prev,
    call_id,
    agent_id,
    conversation_id,
    tool_name,
    scope,
    arguments_digest,
    status,
    ...(reason === undefined ? {} : { reason }),
    manifest_hash,
    ...(approval === undefined ? {} : { approval }),
    timestamp,
  };
}

export function writeText(value: object): string {
  return canonicalise(value as JsonObject);
}

/** Returns undefined for any text but the one that `writeText` makes of an object. */
export function readText<Value extends object>(text: string): Value | undefined {
  try {
    const value = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && writeText(value) === text ? value : undefined;
  } catch {
    return undefined;
  }
}

export function hashText(crypto: Crypto, text: string): string {
  return toHex(crypto.sha256(new TextEncoder().encode(text)));
}

export function signText<Statement extends Head | Checkpoint>(
  { crypto, identity }: Signer,
  statement: Statement,
): string {
  return writeText({ ...statement, signature: signStatement(crypto, { ...statement } as JsonObject, identity) });
}

/** Returns the statement if its text, its purpose and its signature are right. */
export function readSigned<Statement extends Head | Checkpoint>(
  text: string,
  purpose: Statement['purpose'],
  { crypto, publicKey }: { crypto: Crypto; publicKey: string },
): Statement | undefined {
  const { signature, ...statement } = readText<Signed<Statement>>(text) ?? {};
  if (typeof signature !== 'string' || (statement as Partial<Statement>).purpose !== purpose) return undefined;
  return verifyStatement(crypto, statement as JsonObject, { publicKey, signature })
    ? (statement as unknown as Statement)
    : undefined;
}

export const publicKeyOf = ({ identity }: Signer) => toBase64Url(identity.publicKey);
