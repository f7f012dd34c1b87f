import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../stores/memory.ts';
import { createWriteBuffer } from '../stores/write-buffer.ts';
import { loadSentLog } from './sent-log.ts';

const HOUR = 60 * 60 * 1_000;
const ack = (clientMessageId: string) => ({ messageId: 'm', seq: 1, clientMessageId });

describe('EE-25 which messages were sent', () => {
  it('EE-25 is forgotten a day and an hour later, between two times that both clocks agree on, and never else', async () => {
    let time: number | undefined;
    const disk = new Map<string, string>();
    const store = createMemoryStore(disk);
    const start = async () => {
      const writeBuffer = createWriteBuffer({ store, setTimer: () => () => {}, onBroken: () => {} });
      const clock = { pruningTime: () => (time === undefined ? undefined : new Date(time)) };
      return { log: await loadSentLog(store, writeBuffer, clock), saved: writeBuffer.saved };
    };
    const { log, saved } = await start();
    log.add(ack('undated'));
    time = 100 * HOUR;
    log.add(ack('dated'));
    time = undefined;
    log.add(ack('later'));
    await saved();
    const again = await start();
    for (const id of ['undated', 'dated', 'later']) expect(again.log.find(id)).toEqual(ack(id));
    time = 126 * HOUR;
    again.log.add(ack('new'));
    await again.saved();
    expect([...disk.keys()].sort()).toEqual(['sent/later', 'sent/new']);
  });
});
