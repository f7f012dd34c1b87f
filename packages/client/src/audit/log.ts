import type { Store } from '@parley/messenger';
import { writeExport } from './export.ts';
import {
  type Checkpoint,
  type Head,
  hashText,
  publicKeyOf,
  readText,
  type Signer,
  signText,
  toRecord,
  writeText,
} from './record.ts';
import type { AuditEntry, AuditFilter, AuditLog, AuditRecord } from './types.ts';
import { findHead, verifyChain } from './verify.ts';

const HEAD = 'audit/head';
const CHECKPOINT = 'audit/checkpoint';
const RECORDS = 'audit/record/';
const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;

const recordKey = (seq: number) => `${RECORDS}${String(seq).padStart(12, '0')}`;

export interface AuditOptions extends Signer {
  readonly store: Store;
}

interface Waiting {
  readonly entry: AuditEntry;
  resolve(): void;
  reject(error: unknown): void;
}

/** The log of this device (CG-12). Someone who has the identity key, or who removes all of it, leaves no trace. */
export async function openAuditLog(options: AuditOptions): Promise<AuditLog> {
  const { store, crypto } = options;
  const verifying = { crypto, publicKey: publicKeyOf(options) };
  let head = findHead(await readTexts(store), verifying);
  let waiting: Waiting[] = [];
  let turn: Promise<unknown> = Promise.resolve();

  /** One after the other: the chain has one end. */
  function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = turn.then(work);
    turn = result.catch(() => {});
    return result;
  }

  async function save(next: Head, changes: ReadonlyMap<string, string | null>): Promise<void> {
    await store.write(new Map([...changes, [HEAD, signText(options, next)]]));
    // Only now: a record that could not be written must not be a link of the chain.
    head = next;
  }

  async function appendWaiting(): Promise<void> {
    const group = waiting;
    waiting = [];
    try {
      const batch = new Map<string, string>();
      let { count, hash } = head;
      for (const { entry } of group) {
        const text = writeText(toRecord(entry, count, hash));
        hash = hashText(crypto, text);
        batch.set(recordKey(count++), text);
      }
      await save({ ...head, count, hash }, batch);
      for (const { resolve } of group) resolve();
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }

  async function prune(now: Date): Promise<number> {
    const limit = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
    const texts = await readTexts(store);
    const dropped = takeOld(texts.records, limit);
    const last = dropped.at(-1);
    if (last === undefined) return 0;
    // What is dropped cannot be verified later, so what is wrong with it is written down now.
    const verified = verifyChain(texts, verifying);
    const broken = head.broken ?? (verified.ok ? null : { problem: verified.problem, seq: verified.seq });
    const checkpoint: Checkpoint = {
      purpose: 'parley-audit-checkpoint-v1',
      seq: last.at + 1,
      hash: hashText(crypto, last.text),
      pruned_at: now.toISOString(),
    };
    const changes = new Map<string, string | null>(dropped.map(({ at }) => [recordKey(at), null]));
    await save({ ...head, broken }, changes.set(CHECKPOINT, signText(options, checkpoint)));
    return dropped.length;
  }

  return {
    append: (entry) => {
      // At the door, so that one bad entry does not take its neighbours along.
      toRecord(entry, 0, null);
      const done = new Promise<void>((resolve, reject) => waiting.push({ entry, resolve, reject }));
      if (waiting.length === 1) void inTurn(appendWaiting);
      return done;
    },
    list: async (filter = {}) => {
      const records = (await store.list(RECORDS)).flatMap(([, text]) => readText<AuditRecord>(text) ?? []);
      const found = records.reverse().filter((record) => matches(record, filter));
      return found.slice(0, filter.limit ?? found.length);
    },
    verify: async () => verifyChain(await readTexts(store), verifying),
    export: async () => writeExport(await readTexts(store)),
    prune: (now) => inTurn(() => prune(now)),
  };
}

async function readTexts(store: Store) {
  const [checkpoint, records, head] = await Promise.all([store.get(CHECKPOINT), store.list(RECORDS), store.get(HEAD)]);
  const numbered = records.map(([key, text]) => ({ at: Number(key.slice(RECORDS.length)), text }));
  return { checkpoint, records: numbered, head };
}

/** From the beginning of the chain up to the first record that is young by its own time. */
function takeOld<R extends { readonly text: string }>(records: readonly R[], limit: string): readonly R[] {
  const kept = records.findIndex(({ text }) => {
    const time = readText<AuditRecord>(text)?.timestamp;
    return time === undefined || time >= limit;
  });
  return kept === -1 ? records : records.slice(0, kept);
}

function matches(record: AuditRecord, { agentId, conversationId, toolName, status, from, to }: AuditFilter): boolean {
  return (
    (agentId === undefined || record.agent_id === agentId) &&
    (conversationId === undefined || record.conversation_id === conversationId) &&
    (toolName === undefined || record.tool_name === toolName) &&
    (status === undefined || record.status === status) &&
    (from === undefined || record.timestamp >= from) &&
    (to === undefined || record.timestamp < to)
  );
}
