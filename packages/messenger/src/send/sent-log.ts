import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { Ack } from '../types.ts';

const PREFIX = 'sent/';
/** The server refuses messages that are older than a day, so no duplicate is possible after this. */
const KEPT_MS = 25 * 60 * 60 * 1_000;
const MAX_KEPT = 10_000;

interface Record extends Ack {
  readonly at: number;
}

/** Remembers which ids were sent: an id that is sealed a second time would be another message to the server. */
export interface SentLog {
  find(clientMessageId: string): Ack | undefined;
  add(ack: Ack): void;
}

export async function loadSentLog(store: Store, writeBuffer: WriteBuffer, now: () => Date): Promise<SentLog> {
  const records = new Map<string, Record>();
  const drop = (id: string) => {
    records.delete(id);
    writeBuffer.set(PREFIX + id, null);
  };
  const found = (await store.list(PREFIX)).map(([, text]) => JSON.parse(text) as Record);
  for (const record of found.sort((a, b) => a.at - b.at)) records.set(record.clientMessageId, record);
  const prune = () => {
    const oldest = now().getTime() - KEPT_MS;
    for (const [id, { at }] of records) {
      if (at >= oldest && records.size <= MAX_KEPT) return;
      drop(id);
    }
  };
  prune();
  return {
    find: (id) => {
      const record = records.get(id);
      return record && { messageId: record.messageId, seq: record.seq, clientMessageId: id };
    },
    add: (ack) => {
      const record: Record = { ...ack, at: now().getTime() };
      records.set(ack.clientMessageId, record);
      writeBuffer.set(PREFIX + ack.clientMessageId, JSON.stringify(record));
      prune();
    },
  };
}
