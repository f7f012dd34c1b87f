import { nodeCrypto } from '@parley/e2ee/node';
import type { Envelope, Header } from '@parley/protocol';
import { until } from '@parley/testkit/until';
import { describe, expect, it } from 'vitest';
import { createServerRetrier } from '../connection/retry.ts';
import { createYieldSlice } from '../encryption/yield-slice.ts';
import type { Platform } from '../platform.ts';
import { createBatchedStore } from '../stores/batched-store.ts';
import { applyChanges, createEntryMap } from '../stores/entry-map.ts';
import { createWriteBuffer } from '../stores/write-buffer.ts';
import type { Outgoing } from '../types.ts';
import { loadOutbox } from './outbox.ts';

const CONVERSATION = '018f0000-0000-7000-8000-00000000000c';
const OWN = { kind: 'human', id: '018f0000-0000-7000-8000-00000000000a', device_id: CONVERSATION } as const;
const setTimer: Platform['setTimer'] = (callback, ms) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

/** An outbox over a disk that remembers what was on it after each write, for that is what a crash may leave. */
async function start(entries = new Map<string, string>()) {
  const disks: ReadonlyMap<string, string>[] = [];
  const carried: { disk: ReadonlyMap<string, string>; id: string }[] = [];
  const disk = new Map(entries);
  const store = createBatchedStore({
    location: 'test',
    ...createEntryMap(entries),
    commit: async (changes) => {
      await new Promise(setImmediate);
      applyChanges(entries, changes);
      for (const [key, value] of changes) value === null ? disk.delete(key) : disk.set(key, value);
      disks.push(new Map(disk));
    },
    release: async () => {},
  });
  const writeBuffer = createWriteBuffer({ store, setTimer, onBroken: () => {} });
  const platform = { crypto: nodeCrypto, now: () => new Date(), setTimer } as unknown as Platform;
  const outbox = await loadOutbox({
    platform,
    crypto: nodeCrypto,
    own: { sender: OWN } as never,
    store,
    writeBuffer,
    sealer: { seal: async (header: Header) => ({ header, ciphertext: '', wraps: [], signature: '' }) as Envelope },
    retrier: createServerRetrier(platform),
    yieldSlice: createYieldSlice(),
    carrier: {
      isReady: () => true,
      carry: ({ clientMessageId }) => carried.push({ disk: new Map(disk), id: clientMessageId }),
    },
    clock: { pruningTime: () => new Date() },
    report: () => {},
  });
  return { store, outbox, disk, disks, carried };
}

const answer = (name: string, more: Partial<Outgoing> = {}): Outgoing => ({
  conversationId: CONVERSATION,
  payload: { type: 'artifact', artifact: { subtype: 'tool_response', call_id: name, status: 'ok', result: name } },
  clientMessageId: `answer-${name}`,
  ...more,
});
const isWaiting = (disk: ReadonlyMap<string, string>, name: string) =>
  [...disk].some(([key, text]) => key.startsWith('outbox/') && text.includes(`answer-${name}`));

describe('CG-9 a record first, then the answer', () => {
  it('CG-9 whenever the power fails: no answer is on the disk, or leaves, before what it waits for is written', async () => {
    const { store, outbox, disks, carried } = await start();
    const names = Array.from({ length: 40 }, (_, n) => `call-${n}`);
    for (const [n, name] of names.entries()) {
      const after = Promise.all([
        store.write(new Map([[`audit/${name}`, 'run']])),
        store.write(new Map([[`call/${name}`, 'answered']])),
      ]);
      outbox.send(answer(name, { after, also: new Map([[`call/${name}`, 'sent']]) })).catch(() => {});
      if (n % 3 === 0) await new Promise(setImmediate);
    }
    await until(() => expect(carried).toHaveLength(names.length));
    for (const name of names) {
      for (const disk of disks) {
        if (isWaiting(disk, name)) expect(disk.get(`audit/${name}`)).toBe('run');
        // Said to be sent together with what is to be sent, and not taken back.
        expect(disk.get(`call/${name}`) === 'sent').toBe(isWaiting(disk, name));
      }
    }
    for (const { disk, id } of carried) expect(disk.get(`call/${id.slice('answer-'.length)}`)).toBe('sent');
  });

  it('CG-9 an answer whose record failed never leaves, is off the disk when that is told, and can be given anew', async () => {
    const { outbox, disk, carried, disks } = await start();
    const failed = new Error('not recorded');
    const after = until(() => expect(isWaiting(disk, 'one')).toBe(true)).then(() => Promise.reject(failed));
    after.catch(() => {});
    await expect(outbox.send(answer('one', { after }))).rejects.toBe(failed);
    expect(isWaiting(disk, 'one')).toBe(false);
    expect(disks.some((each) => isWaiting(each, 'one'))).toBe(true);
    expect(carried).toEqual([]);
    outbox.send(answer('one')).catch(() => {});
    await until(() => expect(carried.map(({ id }) => id)).toEqual(['answer-one']));
  });

  it('CG-11 after a restart the answer leaves as it was sealed, and the same one given again is not sealed again', async () => {
    const before = await start();
    before.outbox.send(answer('one')).catch(() => {});
    await until(() => expect(before.carried).toHaveLength(1));
    const after = await start(new Map(before.disk));
    after.outbox.pump();
    const outcome = after.outbox.outcome('answer-one');
    expect(after.outbox.outcome('answer-two')).toBeUndefined();
    const sent = after.outbox.send(answer('one', { payload: { type: 'text', text: 'another' } }));
    expect(after.carried).toHaveLength(1);
    after.outbox.acknowledged({ clientMessageId: 'answer-one', messageId: 'm', seq: 1 });
    expect(await sent).toEqual({ clientMessageId: 'answer-one', messageId: 'm', seq: 1 });
    expect([await outcome, await after.outbox.outcome('answer-one')]).toEqual([await sent, await sent]);
    await until(() => expect(isWaiting(after.disk, 'one')).toBe(false));
    expect(await after.outbox.send(answer('one'))).toEqual({ clientMessageId: 'answer-one', messageId: 'm', seq: 1 });
    expect(after.carried).toHaveLength(1);
  });
});
