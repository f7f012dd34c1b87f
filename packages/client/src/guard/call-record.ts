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
  /** True once the messenger has the answer. */
  readonly sent?: boolean;
  /** True if it is not shown any more. What is left only keeps the call from being run again. */
  readonly erased?: boolean;
}

const PREFIX = 'client/call/';
/** The lifetime of a call that names none (TC-2). */
const DEFAULT_LIFE_MS = 5 * 60_000;

export const callKey = (call: Pick<Call, 'conversationId' | 'callId'>): string =>
  `${PREFIX}${call.conversationId}/${call.callId}`;

export function toRecord(message: Incoming, call: ToolCall): CallRecord {
  const expiresAt = Date.parse(call.expires_at ?? '');
  return {
    callId: call.call_id,
    conversationId: message.conversationId,
    conversationKind: message.conversationKind,
    agentId: message.sender.id,
    toolName: call.tool_name,
    arguments: call.arguments,
    argumentsDigest: hashCanonical(call.arguments as Json),
    permissionScope: call.permission_scope,
    timeoutMs: call.timeout_ms,
    expiresAt: Number.isNaN(expiresAt) ? Date.parse(message.createdAt) + DEFAULT_LIFE_MS : expiresAt,
    messageId: message.messageId,
    seq: message.seq,
    createdAt: message.createdAt,
    isForUsAlone: message.isForUsAlone,
    state: 'waiting',
  };
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
  const rows = await store.list(conversationId === undefined ? PREFIX : `${PREFIX}${conversationId}/`);
  return rows.map(([, text]) => JSON.parse(text) as CallRecord);
}

export const toBatch = (record: CallRecord): ReadonlyMap<string, string> =>
  new Map([[callKey(record), JSON.stringify(record)]]);

export const writeRecord = (store: Store, record: CallRecord): Promise<void> => store.write(toBatch(record));

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
