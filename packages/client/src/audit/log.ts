import type { Store, StoreEntry } from '@parley/messenger';
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
import type { AuditFilter, AuditLog, AuditRecord } from './types.ts';
import { findHead, verifyChain } from './verify.ts';

const HEAD = 'audit/head';
const CHECKPOINT = 'audit/checkpoint';
const RECORDS = 'audit/record/';
const MARKS = 'audit/marks';
const DAY_MS = 86_400_000;
const KEPT_DAYS = 30;

const recordKey = (seq: number) => `${RECORDS}${String(seq).padStart(12, '0')}`;

/** How many records there were at a time that this device's clock and the server's agreed on. */
interface Mark {
  readonly at: string;
  readonly count: number;
}

export interface AuditOptions extends Signer {
  readonly store: Store;
}

interface Batch {
  readonly changes: Map<string, string | null>;
  readonly written: Promise<void>;
}

/** The log of this device (CG-12). Someone who has the identity key, or who removes all of it, leaves no trace. */
export async function openAuditLog(options: AuditOptions): Promise<AuditLog> {
  const { store, crypto } = options;
  const verifying = { crypto, publicKey: publicKeyOf(options) };
  let head = findHead(await readTexts(store), verifying);
  /** As it is on disk: after a write that failed, the chain goes on from here. */
  let saved = head;
  let last: Promise<void> = Promise.resolve();
  /** What the next write takes along. */
  let next: Batch | undefined;
  let pruning: Promise<unknown> = Promise.resolve();

  /** Writes one batch after the other. Entries that come meanwhile are in the next one, with one signature of the head. */
  function save(to: Head, changes: Iterable<readonly [string, string | null]>): Promise<void> {
    head = to;
    if (next === undefined) {
      const batch: Batch = { changes: new Map(), written: last.then(() => write(batch.changes)) };
      next = batch;
      last = batch.written;
      batch.written.catch(() => {
        // Entries that are chained to one that is not on disk fail with it, and may be appended again.
        head = saved;
        if (next === batch) next = undefined;
        if (last === batch.written) last = Promise.resolve();
      });
    }
    for (const [key, value] of changes) next.changes.set(key, value);
    return next.written;
  }

  async function write(changes: ReadonlyMap<string, string | null>): Promise<void> {
    next = undefined;
    const written = head;
    await store.write(new Map<string, StoreEntry>([...changes, [HEAD, () => signText(options, written)]]));
    saved = written;
  }

  /**
   * Marks how far the log goes now, and returns how far it went at the limit. A record has the time of a clock that may
   * have been wrong, so it is old when it also was there at a time that was right (EE-25).
   */
  async function mark(now: Date, limit: string): Promise<number> {
    const known = JSON.parse((await store.get(MARKS)) ?? '[]') as Mark[];
    const last = known.findLast(({ at }) => at <= limit);
    const isDue = (known.at(-1)?.at ?? '') <= new Date(now.getTime() - DAY_MS).toISOString();
    const marks = known.filter(({ at }) => at >= (last?.at ?? ''));
    if (isDue) marks.push({ at: now.toISOString(), count: head.count });
    if (isDue) await store.write(new Map([[MARKS, JSON.stringify(marks)]]));
    return last?.count ?? 0;
  }

  async function prune(now: Date): Promise<number> {
    const limit = new Date(now.getTime() - KEPT_DAYS * DAY_MS).toISOString();
    const texts = await readTexts(store);
    const marked = await mark(now, limit);
    const dropped = takeOld(texts.records, limit).filter(({ at }) => at < marked);
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
    append: async (entry) => {
      const { count, hash } = head;
      const text = writeText(toRecord(entry, count, hash));
      return save({ ...head, count: count + 1, hash: hashText(crypto, text) }, [[recordKey(count), text]]);
    },
    list: async (filter = {}) => {
      const records = (await store.list(RECORDS)).flatMap(([, text]) => readText<AuditRecord>(text) ?? []);
      const found = records.reverse().filter((record) => matches(record, filter));
      return found.slice(0, filter.limit ?? found.length);
    },
    verify: async () => verifyChain(await readTexts(store), verifying),
    export: async () => writeExport(await readTexts(store)),
    prune: (now) => {
      const result = pruning.then(() => prune(now));
      pruning = result.catch(() => {});
      return result;
    },
  };
}

async function readTexts(store: Store) {
  const [checkpoint, records, head] = await Promise.all([store.get(CHECKPOINT), store.list(RECORDS), store.get(HEAD)]);
  const numbered = records.map(([key, text]) => ({ at: Number(key.slice(RECORDS.length)), text }));
  return { checkpoint, records: numbered, head };
}

/** Takes records from the beginning of the chain up to the first recent one, by its own time. */
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
