import type { ServerClock } from '../api/server-clock.ts';
import type { Store } from '../stores/store.ts';
import type { WriteBuffer } from '../stores/write-buffer.ts';
import type { Ack } from '../types.ts';

const PREFIX = 'sent/';
/** The server refuses messages that are older than a day, so no duplicate is possible after this. */
const KEPT_MS = 25 * 60 * 60 * 1_000;
const MAX_KEPT = 10_000;

interface Record extends Ack {
  /** By a clock that the server's agreed with (EE-25); null until there is one. */
  readonly at: number | null;
}

/** Remembers which ids were sent: an id that is sealed a second time would be another message to the server. */
export interface SentLog {
  find(clientMessageId: string): Ack | undefined;
  add(ack: Ack): void;
}

export async function loadSentLog(
  store: Store,
  writeBuffer: WriteBuffer,
  clock: Pick<ServerClock, 'pruningTime'>,
): Promise<SentLog> {
  const records = new Map<string, Record>();
  const drop = (id: string) => {
    records.delete(id);
    writeBuffer.set(PREFIX + id, null);
  };
  const put = (record: Record) => {
    records.set(record.clientMessageId, record);
    writeBuffer.set(PREFIX + record.clientMessageId, JSON.stringify(record));
  };
  const found = (await store.list(PREFIX)).map(([, text]) => JSON.parse(text) as Record);
  for (const record of found.sort((a, b) => (a.at ?? Infinity) - (b.at ?? Infinity)))
    records.set(record.clientMessageId, record);
  const prune = () => {
    const time = clock.pruningTime()?.getTime();
    for (const [id, record] of records) {
      if (records.size > MAX_KEPT) drop(id);
      else if (time === undefined) return;
      else if (record.at === null) put({ ...record, at: time });
      else if (record.at >= time - KEPT_MS) return;
      else drop(id);
    }
  };
  return {
    find: (id) => {
      const record = records.get(id);
      return record && { messageId: record.messageId, seq: record.seq, clientMessageId: id };
    },
    add: (ack) => {
      put({ ...ack, at: clock.pruningTime()?.getTime() ?? null });
      prune();
    },
  };
}
