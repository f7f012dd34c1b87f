import { describe, expect, test } from 'vitest';
import { messengerError } from '../errors.ts';
import type { StoreBatch, StoreEntry, StoreShortage } from './store.ts';
import { createWriteBuffer } from './write-buffer.ts';

function start() {
  const batches: [string, StoreEntry][][] = [];
  const gates: (() => void)[] = [];
  let timer: (() => void) | undefined;
  const writeBuffer = createWriteBuffer({
    store: {
      get: async () => undefined,
      list: async () => [],
      write: (batch: StoreBatch) => {
        batches.push([...batch]);
        return new Promise<void>((resolve) => gates.push(resolve));
      },
      close: async () => {},
    },
    setTimer: (callback) => {
      timer = callback;
      return () => {
        timer = undefined;
      };
    },
    onBroken: () => {},
  });
  const turn = () => new Promise(setImmediate);
  return {
    writeBuffer,
    batches,
    release: () => gates.shift()?.(),
    turn,
    ring: () => timer?.(),
    isWaiting: () => timer !== undefined,
  };
}

describe('EE-4 the writeBuffer', () => {
  test('writes what comes together in one batch, of each key the last value, serialised once', async () => {
    const { writeBuffer, batches, release, turn } = start();
    let serialised = 0;
    const state = () => `state ${++serialised}`;
    writeBuffer.set('a', '1');
    const first = writeBuffer.saved();
    await turn();
    for (let change = 0; change < 5; change++) writeBuffer.set('peer', state);
    writeBuffer.set('a', '2');
    writeBuffer.set('a', null);
    const second = writeBuffer.saved();
    expect(writeBuffer.saved()).toBe(second);
    await turn();
    expect(batches).toEqual([[['a', '1']]]);
    release();
    await first;
    await turn();
    expect(batches[1]).toEqual([
      ['peer', 'state 1'],
      ['a', null],
    ]);
    release();
    await second;
  });

  test('wipes used keys only when the state without them is on disk', async () => {
    const { writeBuffer, release, turn } = start();
    const key = Uint8Array.of(1, 2, 3);
    writeBuffer.set('a', '1');
    writeBuffer.wipe([key]);
    const saved = writeBuffer.saved();
    await turn();
    expect([...key]).toEqual([1, 2, 3]);
    release();
    await saved;
    expect([...key]).toEqual([0, 0, 0]);
  });

  test('lets what nobody waits for go with the next batch, or by itself a little later', async () => {
    const { writeBuffer, batches, release, turn, ring, isWaiting } = start();
    writeBuffer.set('a', '1');
    const later = writeBuffer.savedLater();
    await turn();
    expect(batches).toEqual([]);
    writeBuffer.set('b', '2');
    const soon = writeBuffer.saved();
    await turn();
    expect(batches).toEqual([
      [
        ['a', '1'],
        ['b', '2'],
      ],
    ]);
    expect(isWaiting()).toBe(false);
    release();
    await Promise.all([later, soon]);
    writeBuffer.set('c', '3');
    const alone = writeBuffer.savedLater();
    ring();
    await turn();
    release();
    await alone;
    expect(batches[1]).toEqual([['c', '3']]);
  });

  test('never writes what was taken back in time', async () => {
    const { writeBuffer, batches, turn } = start();
    writeBuffer.set('inbox', '1');
    writeBuffer.drop('inbox');
    await writeBuffer.saved();
    await turn();
    expect(batches).toEqual([]);
  });
});

describe('EE-26 the write buffer on a full disk', () => {
  const full = () => messengerError('STORE_FULL', { params: { location: 'test' } });

  function startFull() {
    const disk = new Map<string, StoreEntry>();
    const told: unknown[] = [];
    const timers = new Set<() => void>();
    const state = { isFull: true, shortage: undefined as StoreShortage | undefined };
    const writeBuffer = createWriteBuffer({
      store: {
        get: async () => undefined,
        list: async () => [],
        write: async (batch) => {
          if (state.isFull) throw full();
          for (const [key, value] of batch) disk.set(key, value);
        },
        shortage: () => (state.isFull ? { error: full(), canReceive: false } : state.shortage),
        close: async () => {},
      },
      setTimer: (callback) => {
        timers.add(callback);
        return () => void timers.delete(callback);
      },
      onBroken: (error) => told.push(error),
    });
    const ring = async () => {
      for (const timer of [...timers]) timer();
      await new Promise(setImmediate);
    };
    return { writeBuffer, disk, told, state, ring };
  }

  test('EE-26 EE-4 what finds no space is written later, the newest of it; keys are wiped then, not before', async () => {
    const { writeBuffer, disk, told, state, ring } = startFull();
    const key = Uint8Array.of(1, 2, 3);
    writeBuffer.set('peer', () => 'state 1');
    writeBuffer.set('inbox', 'message');
    writeBuffer.wipe([key]);
    let isKept = false;
    const later = writeBuffer.savedLater().then(() => {
      isKept = true;
    });
    await expect(writeBuffer.saved()).rejects.toMatchObject({ code: 'STORE_FULL' });
    writeBuffer.set('peer', () => 'state 2');
    await ring();
    await expect(writeBuffer.saved()).rejects.toMatchObject({ code: 'STORE_FULL' });
    expect([disk.size, isKept, [...key], told.length]).toEqual([0, false, [1, 2, 3], 1]);
    state.isFull = false;
    await ring();
    await later;
    expect([...disk]).toEqual([
      ['peer', 'state 2'],
      ['inbox', 'message'],
    ]);
    expect([...key]).toEqual([0, 0, 0]);
  });

  test('EE-26 the person is told once when the reserve comes into use, and again the next time', async () => {
    const { writeBuffer, told, state } = startFull();
    state.isFull = false;
    const write = async (shortage?: StoreShortage) => {
      state.shortage = shortage;
      writeBuffer.set('a', '1');
      await writeBuffer.saved();
      return told.length;
    };
    const low = { error: full(), canReceive: true };
    expect([await write(), await write(low), await write(low), await write(), await write(low)]).toEqual([
      0, 1, 1, 1, 2,
    ]);
    expect(told[0]).toMatchObject({ code: 'STORE_FULL' });
  });
});
