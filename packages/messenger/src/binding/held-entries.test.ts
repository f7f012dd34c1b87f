import { createDeferred } from '@parley/base';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../stores/memory.ts';
import { createWriteBuffer } from '../stores/write-buffer.ts';
import { createHeldEntries } from './held-entries.ts';
import { createPins } from './pins.ts';

function make(disk = new Map<string, string>()) {
  const store = createMemoryStore(disk);
  const writeBuffer = createWriteBuffer({ store, setTimer: () => () => {}, onBroken: () => {} });
  return { disk, store, writeBuffer, held: createHeldEntries(store, writeBuffer) };
}

describe('EE-18 entries that are on their way to the disk', () => {
  it('EE-18 are read as they will be, set and deleted', async () => {
    const { disk, held, writeBuffer } = make(new Map([['a', 'old']]));
    expect(await held.get('a')).toBe('old');
    held.set('a', 'new');
    held.set('b', 'made');
    expect([await held.get('a'), await held.get('b'), disk.get('a')]).toEqual(['new', 'made', 'old']);
    held.set('a', null);
    expect(await held.get('a')).toBeUndefined();
    await writeBuffer.saved();
    expect([...disk]).toEqual([['b', 'made']]);
  });

  it('EE-18 attack: what was seen is soon on disk by itself: a crash does not let the server show less', async () => {
    const disk = new Map<string, string>();
    const timers: (() => void)[] = [];
    const store = createMemoryStore(disk);
    const setTimer = (ring: () => void) => {
      timers.push(ring);
      return () => {};
    };
    const writeBuffer = createWriteBuffer({ store, setTimer, onBroken: () => {} });
    createHeldEntries(store, writeBuffer).set('list', 'as it was seen');
    createPins(store, writeBuffer).set('account', 'ada', { key: 'key', verified: false });
    for (const ring of timers) ring();
    await expect.poll(() => [...disk.keys()].sort()).toEqual(['list', 'pin/account/ada']);
  });

  it('EE-18 a read that began before a change sees the change', async () => {
    const { writeBuffer } = make();
    const slow = createDeferred<string | undefined>();
    const held = createHeldEntries({ get: () => slow.promise }, writeBuffer);
    const reading = held.get('a');
    held.set('a', 'new');
    slow.resolve('old');
    expect(await reading).toBe('new');
  });

  it('EE-18 attack: an answer that was held back does not replace what came later', async () => {
    const { held } = make(new Map([['a', 'one']]));
    const known = await held.get('a');
    expect(held.replace('a', known, 'two')).toBe(true);
    expect(held.replace('a', known, 'late')).toBe(false);
    expect(await held.get('a')).toBe('two');
    held.set('a', null);
    expect(held.replace('a', 'two', 'late')).toBe(false);
    expect(held.replace('a', undefined, 'three')).toBe(true);
  });
});
