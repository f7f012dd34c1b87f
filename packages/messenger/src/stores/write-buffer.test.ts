import { describe, expect, test } from 'vitest';
import type { StoreBatch, StoreEntry } from './store.ts';
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
