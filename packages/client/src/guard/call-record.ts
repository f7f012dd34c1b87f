import { hashCanonical, type Json } from '@parley/documents';
import type { Incoming, Store } from '@parley/messenger';
import type { ToolCall, ToolResponse } from '@parley/protocol';
import type { Call } from './decide.ts';

/**
 * `waiting` for an answer or its turn; `running` from just before it runs; `answered` by this or another device of the
 * person; `elsewhere`: another device has the call.
 */
export type CallState = 'waiting' | 'running' | 'answered' | 'elsewhere';

/** A stored tool call: one for each `call_id` of a conversation, however many messages brought it (CG-11). */
export interface CallRecord extends Call {
  readonly messageId: string;
  readonly seq: number;
  readonly createdAt: string;
  /** True if no other device got the call, so there is nothing to claim (CG-11). */
  readonly isForUsAlone: boolean;
  readonly state: CallState;
  /** When this device ran it. */
  readonly startedAt?: number;
  readonly response?: ToolResponse;
  /** True once the messenger has the answer. In the store this is an entry of its own: `markSent`. */
  readonly sent?: boolean;
  /** True if it is not shown any more. What is left only keeps the call from being run again. */
  readonly erased?: boolean;
}

const PREFIX = 'client/call/';
const SENT = 'client/call-sent/';
/** The lifetime of a call that names none (TC-2). */
const DEFAULT_LIFE_MS = 5 * 60_000;
/** The longest lifetime of a call, by this device's clock (CG-14). */
const MAX_LIFE_MS = 15 * 60_000;

type CallName = Pick<Call, 'conversationId' | 'callId'>;
const nameOf = ({ conversationId, callId }: CallName) => `${conversationId}/${callId}`;

export const callKey = (call: CallName): string => PREFIX + nameOf(call);

export function toRecord(message: Incoming, call: ToolCall, now: number): CallRecord {
  return {
    callId: call.call_id,
    conversationId: message.conversationId,
    conversationKind: message.conversationKind,
    agentId: message.sender.id,
    toolName: call.tool_name,
    ...readArguments(message, call),
    permissionScope: call.permission_scope,
    timeoutMs: call.timeout_ms,
    expiresAt: limitLife(findExpiry(message, call) ?? now + DEFAULT_LIFE_MS, now),
    messageId: message.messageId,
    seq: message.seq,
    createdAt: message.createdAt,
    isForUsAlone: message.isForUsAlone,
    state: 'waiting',
  };
}

/** Undefined if the times are none: month 99 has the form of one, too. */
function findExpiry({ createdAt }: Incoming, call: ToolCall): number | undefined {
  const times = [Date.parse(call.expires_at ?? ''), Date.parse(createdAt) + DEFAULT_LIFE_MS];
  return times.find((time) => !Number.isNaN(time));
}

/** The sender's clock decides nothing: a call cannot wait for longer than this device lets it. */
export function limitLife(expiresAt: number, now: number): number {
  return Math.min(expiresAt, now + MAX_LIFE_MS);
}

/** Arguments that cannot be held are dropped; the digest of what was received stands for them (CG-16). */
function readArguments(
  { unusableArguments: unusable }: Incoming,
  { arguments: args }: ToolCall,
): Pick<Call, 'arguments' | 'argumentsDigest' | 'unusable'> {
  if (unusable !== undefined) return { arguments: {}, argumentsDigest: unusable.digest, unusable: unusable.problem };
  try {
    return { arguments: args, argumentsDigest: hashCanonical(args as Json) };
  } catch {
    // JSON.stringify writes half of a surrogate pair as an escape, so that this text has a canonical form.
    return { arguments: {}, argumentsDigest: hashCanonical(JSON.stringify(args)), unusable: 'canonical_form' };
  }
}

/** Only an equal request is the same call; a different one with the same id is refused. */
export function isSameRequest(a: CallRecord, b: CallRecord): boolean {
  return (
    a.agentId === b.agentId &&
    a.toolName === b.toolName &&
    a.permissionScope === b.permissionScope &&
    a.argumentsDigest === b.argumentsDigest
  );
}

export async function readRecord(store: Store, key: string): Promise<CallRecord | undefined> {
  const text = await store.get(key);
  return text === undefined ? undefined : (JSON.parse(text) as CallRecord);
}

export async function listRecords(store: Store, conversationId?: string): Promise<CallRecord[]> {
  const folder = conversationId === undefined ? '' : `${conversationId}/`;
  const [rows, marks] = await Promise.all([store.list(PREFIX + folder), store.list(SENT + folder)]);
  const sent = new Set(marks.map(([key]) => key.slice(SENT.length)));
  return rows.map(([key, text]) => {
    const record = JSON.parse(text) as CallRecord;
    return sent.has(key.slice(PREFIX.length)) ? { ...record, sent: true } : record;
  });
}

/**
 * Says whether the messenger has the answer. It leaves the record alone: the answer may wait for days, and the person
 * may erase the record meanwhile, which writing it again would bring back (CG-16).
 */
export const markSent = (call: CallName): ReadonlyMap<string, string> => new Map([[SENT + nameOf(call), '1']]);
export const unmarkSent = (call: CallName): ReadonlyMap<string, null> => new Map([[SENT + nameOf(call), null]]);

export async function isMarkedSent(store: Store, call: CallName): Promise<boolean> {
  return (await store.get(SENT + nameOf(call))) !== undefined;
}

export const writeRecord = (store: Store, record: CallRecord): Promise<void> =>
  store.write(new Map([[callKey(record), JSON.stringify(record)]]));

/** The record without the result of the call. */
export function withoutResult(record: CallRecord): CallRecord {
  if (record.response === undefined) return record;
  const { result: _, ...response } = record.response;
  return { ...record, response };
}

/** Can the answer be given again, or was its result dropped? */
export function hasResult(response: ToolResponse): boolean {
  return response.status !== 'ok' || response.result !== undefined;
}
