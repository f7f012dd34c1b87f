import { describe, expect, test } from 'vitest';
import { createJournal } from './journal.ts';
import type { StoreBatch, StoreEntry } from './store.ts';

function start() {
  const batches: [string, StoreEntry][][] = [];
  const gates: (() => void)[] = [];
  let timer: (() => void) | undefined;
  const journal = createJournal({
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
    journal,
    batches,
    release: () => gates.shift()?.(),
    turn,
    ring: () => timer?.(),
    isWaiting: () => timer !== undefined,
  };
}

describe('EE-4 the journal', () => {
  test('writes what comes together in one batch, of each key the last value, serialised once', async () => {
    const { journal, batches, release, turn } = start();
    let serialised = 0;
    const state = () => `state ${++serialised}`;
    journal.set('a', '1');
    const first = journal.saved();
    await turn();
    for (let change = 0; change < 5; change++) journal.set('peer', state);
    journal.set('a', '2');
    journal.set('a', null);
    const second = journal.saved();
    expect(journal.saved()).toBe(second);
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
    const { journal, release, turn } = start();
    const key = Uint8Array.of(1, 2, 3);
    journal.set('a', '1');
    journal.wipe([key]);
    const saved = journal.saved();
    await turn();
    expect([...key]).toEqual([1, 2, 3]);
    release();
    await saved;
    expect([...key]).toEqual([0, 0, 0]);
  });

  test('lets what nobody waits for go with the next batch, or by itself a little later', async () => {
    const { journal, batches, release, turn, ring, isWaiting } = start();
    journal.set('a', '1');
    const later = journal.savedLater();
    await turn();
    expect(batches).toEqual([]);
    journal.set('b', '2');
    const soon = journal.saved();
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
    journal.set('c', '3');
    const alone = journal.savedLater();
    ring();
    await turn();
    release();
    await alone;
    expect(batches[1]).toEqual([['c', '3']]);
  });

  test('never writes what was taken back in time', async () => {
    const { journal, batches, turn } = start();
    journal.set('inbox', '1');
    journal.drop('inbox');
    await journal.saved();
    await turn();
    expect(batches).toEqual([]);
  });
});
