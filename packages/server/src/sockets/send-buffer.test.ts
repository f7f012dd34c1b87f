import { EventEmitter } from 'node:events';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type WebSocket from 'ws';
import type { StoredMessage } from '../conversations/message.ts';
import { createSharedReads } from '../conversations/shared-reads.ts';
import type { Platform } from '../platform.ts';
import { createDelivery } from './delivery.ts';
import { createSendBuffer } from './send-buffer.ts';

const KB = 1024;
const MB = 1024 * KB;

/** A socket whose other end reads only when told to. */
class StalledSocket extends EventEmitter {
  readonly OPEN = 1;
  readyState = 1;
  bufferedAmount = 0;
  terminated = false;
  private flushed: (() => void)[] = [];
  send(text: string | Buffer, _options: object, flushed: () => void): void {
    this.bufferedAmount += text.length;
    this.flushed.push(flushed);
  }
  close(): void {
    this.readyState = 2;
  }
  terminate(): void {
    this.terminated = true;
    this.readyState = 3;
    this.emit('close');
  }
  drain(): void {
    this.bufferedAmount = 0;
    for (const flushed of this.flushed.splice(0)) flushed();
  }
}

const setUp = () => {
  const socket = new StalledSocket();
  let time = 0;
  const sendBuffer = createSendBuffer({ socket: socket as unknown as WebSocket, elapsed: () => time });
  return { socket, sendBuffer, pass: (ms: number) => (time += ms) };
};
/** Answers every question with nothing. */
const emptyDatabase = () =>
  new Kysely({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
const settle = () => new Promise((resolve) => setImmediate(resolve));

const message = (seq: number): StoredMessage => ({
  id: 'm',
  conversation_id: 'c',
  seq,
  client_message_id: 'x',
  sender_kind: 'human',
  sender_id: 'h',
  sender_device_id: null,
  content_type: 'text',
  msg_subtype: 'text',
  created_at: new Date(0),
  received_at: new Date(0),
  envelope: `"${'A'.repeat(200 * KB)}"`,
});

describe('TR-2 slow consumers', () => {
  it('TR-2 of what waits, no more than a megabyte and a message is in memory; the rest follows as it is taken', async () => {
    const { socket, sendBuffer } = setUp();
    const last = 100;
    let reads = 0;
    const reader = {
      read: async ({ after = 0 }: { after: number | undefined }) => {
        reads++;
        const count = Math.min(10, last - after);
        return { after, lastSeq: last, messages: Array.from({ length: count }, (_, n) => message(after + n + 1)) };
      },
    };
    const platform = { db: emptyDatabase(), log: pino({ level: 'silent' }) } as unknown as Platform;
    const consumer = () => ({ kind: 'agent' as const, id: 'a', account: 'o' });
    const delivery = createDelivery(platform, { reader, reads: createSharedReads(1) } as never, {
      consumer,
      sendBuffer,
    });
    delivery.start();
    delivery.resume({ conversations: new Map([['c', 0]]), eventId: 0 });
    const high: number[] = [];
    for (let round = 0; round < 200 && !socket.terminated; round++) {
      await settle();
      high.push(socket.bufferedAmount);
      if (round % 3 === 2) socket.drain();
    }
    expect(Math.max(...high)).toBeGreaterThan(MB / 2);
    expect(Math.max(...high)).toBeLessThan(MB + 201 * KB + 1_000);
    expect(reads).toBeGreaterThan(10);
    delivery.stop();
  });

  it('TR-2 someone who sends and never reads the acks is disconnected', () => {
    const { socket, sendBuffer } = setUp();
    for (let n = 0; n < 10_000 && !socket.terminated; n++) sendBuffer.send('x'.repeat(KB));
    expect(socket.terminated).toBe(true);
    expect(socket.bufferedAmount).toBeLessThan(5 * MB);
  });

  it('TR-2 thirty seconds without progress end the socket, progress does not', () => {
    const { socket, sendBuffer, pass } = setUp();
    sendBuffer.send('x');
    pass(20_000);
    socket.drain();
    sendBuffer.send('x');
    pass(20_000);
    sendBuffer.tick();
    expect(socket.terminated).toBe(false);
    pass(11_000);
    sendBuffer.tick();
    expect(socket.terminated).toBe(true);
  });
});
