import { writeState } from '@parley/e2ee';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../stores/memory.ts';
import type { Store } from '../stores/store.ts';
import { createWriteBuffer } from '../stores/write-buffer.ts';
import { createStateCache } from './state-cache.ts';

interface State {
  readonly n: number;
}

function setUp(size: number) {
  const entries = new Map<string, string>();
  const memory = createMemoryStore(entries);
  let release: (() => void) | undefined;
  const hold = () => {
    let open = () => {};
    const held = new Promise<void>((resolve) => {
      open = resolve;
    });
    release = open;
    return held;
  };
  let gate: Promise<void> | undefined;
  let delay: Promise<void> | undefined;
  const reads: string[] = [];
  const store: Store = {
    ...memory,
    get: async (key) => {
      reads.push(key);
      const text = await memory.get(key);
      await delay;
      return text;
    },
    write: async (batch) => {
      await gate;
      await memory.write(batch);
    },
  };
  const writeBuffer = createWriteBuffer({ store, setTimer: () => () => {}, onBroken: () => {} });
  const cache = createStateCache<State>(store, writeBuffer, size);
  return {
    cache,
    writeBuffer,
    entries,
    reads,
    /** Reads wait until it is called. */
    slowRead: () => {
      delay = hold();
      return () => release!();
    },
    /** Writes wait until it is called. */
    stop: () => {
      gate = hold();
      return () => release!();
    },
  };
}

describe('EE-26 states of peers in memory', () => {
  it('are as many as were asked for; the others are read again from the store, as they were', async () => {
    const { cache, writeBuffer, reads } = setUp(3);
    for (let n = 0; n < 10; n++) cache.set(`peer/${n}`, { n });
    await writeBuffer.saved();
    expect([0, 6, 7, 8, 9].map((n) => cache.peek(`peer/${n}`)?.n)).toEqual([undefined, undefined, 7, 8, 9]);
    expect(await cache.load('peer/0')).toEqual({ n: 0 });
    expect(reads).toEqual(['peer/0']);
    expect(await cache.load('peer/missing')).toBeUndefined();
  });

  it('stay while they are used', async () => {
    const { cache, writeBuffer } = setUp(2);
    for (let n = 0; n < 2; n++) cache.set(`peer/${n}`, { n });
    await writeBuffer.saved();
    cache.peek('peer/0');
    cache.set('peer/2', { n: 2 });
    await writeBuffer.saved();
    expect([0, 1, 2].map((n) => cache.peek(`peer/${n}`)?.n)).toEqual([0, undefined, 2]);
  });

  it('are never dropped before they are on disk: an older state would use a key twice', async () => {
    const { cache, writeBuffer, stop } = setUp(1);
    cache.set('peer/0', { n: 0 });
    await writeBuffer.saved();
    const go = stop();
    cache.set('peer/0', { n: 1 });
    const first = writeBuffer.saved();
    await Promise.resolve();
    // Set while the batch before is on its way: it belongs to the next one.
    cache.set('peer/0', { n: 2 });
    for (let n = 1; n < 5; n++) cache.put(`peer/${n}`, { n });
    go();
    await first;
    expect(await cache.load('peer/0')).toEqual({ n: 2 });
    await writeBuffer.saved();
    cache.put('peer/9', { n: 9 });
    cache.set('peer/8', { n: 8 });
    await writeBuffer.saved();
    expect(cache.peek('peer/0')).toBeUndefined();
    expect(await cache.load('peer/0')).toEqual({ n: 2 });
  });

  it('EE-26 attack: a slow read does not bring back a state from before the last change', async () => {
    const { cache, writeBuffer, entries, slowRead } = setUp(1);
    entries.set('peer/0', writeState({ n: 0 }));
    const first = slowRead();
    const reading = cache.load('peer/0');
    cache.set('peer/0', { n: 1 });
    for (let n = 1; n < 4; n++) cache.set(`peer/${n}`, { n });
    await writeBuffer.saved();
    first();
    expect(await reading).toEqual({ n: 1 });
    expect(await cache.load('peer/0')).toEqual({ n: 1 });
  });
});
