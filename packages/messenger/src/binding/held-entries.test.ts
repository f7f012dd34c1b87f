import { createDeferred } from '@parley/base';
import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '../stores/memory.ts';
import { createWriteBuffer } from '../stores/write-buffer.ts';
import { createHeldEntries } from './held-entries.ts';
import { createPins } from './pins.ts';

function make(disk = new Map<string, string>(), maxLength = 0) {
  const store = createMemoryStore(disk);
  const writeBuffer = createWriteBuffer({ store, setTimer: () => () => {}, onBroken: () => {} });
  const timers: (() => void)[] = [];
  const setTimer = (ring: () => void) => {
    timers.push(ring);
    return () => {};
  };
  /** The turn that drops what need not be in memory. */
  const ring = () => {
    for (const timer of timers.splice(0)) timer();
  };
  const held = createHeldEntries({ store, writeBuffer, setTimer, maxLength });
  return { disk, store, writeBuffer, setTimer, ring, held };
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
    const held = createHeldEntries({ store, writeBuffer, setTimer });
    held.set('list', 'as it was seen');
    createPins(held).set('account', 'ada', { key: 'key', verified: false });
    for (const ring of timers) ring();
    await expect.poll(() => [...disk.keys()].sort()).toEqual(['list', 'pin/account/ada']);
  });

  it('EE-18 a read that began before a change sees the change', async () => {
    const { writeBuffer, setTimer } = make();
    const slow = createDeferred<string | undefined>();
    const held = createHeldEntries({ store: { get: () => slow.promise }, writeBuffer, setTimer, maxLength: 0 });
    const reading = held.get('a');
    held.set('a', 'new');
    slow.resolve('old');
    expect(await reading).toBe('new');
  });

  it('EE-18 also if the change was written and dropped from memory before the read ends', async () => {
    const { disk, writeBuffer, setTimer, ring } = make();
    const slow = createDeferred<string | undefined>();
    const held = createHeldEntries({ store: { get: () => slow.promise }, writeBuffer, setTimer, maxLength: 0 });
    const reading = [held.get('a'), held.get('a')];
    held.set('a', 'new');
    await writeBuffer.saved();
    ring();
    slow.resolve('old');
    expect(await Promise.all(reading)).toEqual(['new', 'new']);
    expect(disk.get('a')).toBe('new');
    ring();
    expect(() => held.peek('a')).toThrow(TypeError);
  });

  it('EE-18 attack: an answer that was held back does not replace what came later, in memory or on disk alone', async () => {
    const { held, writeBuffer, ring } = make(new Map([['a', 'one']]));
    const known = await held.get('a');
    expect(await held.replace('a', known, 'two')).toBe(true);
    expect(await held.replace('a', known, 'late')).toBe(false);
    await writeBuffer.saved();
    ring();
    expect(() => held.peek('a')).toThrow(TypeError);
    expect(await held.replace('a', known, 'late')).toBe(false);
    expect(await held.get('a')).toBe('two');
    held.set('a', null);
    expect(await held.replace('a', 'two', 'late')).toBe(false);
    expect(await held.replace('a', undefined, 'three')).toBe(true);
  });

  it('EE-26 memory: what is on disk is dropped, what is not stays, also when a batch is just being written', async () => {
    const { held, writeBuffer, ring, disk } = make(new Map([['read', 'x']]));
    await held.get('read');
    expect(held.peek('read')).toBe('x');
    held.set('set', '1');
    ring();
    expect(() => held.peek('read')).toThrow('get right before it');
    expect(held.peek('set')).toBe('1');
    await held.get('read');
    const saving = writeBuffer.saved();
    await Promise.resolve();
    ring();
    expect(held.peek('set')).toBe('1');
    await saving;
    held.set('set', '2');
    ring();
    expect([disk.get('set'), held.peek('set')]).toEqual(['1', '2']);
    await writeBuffer.saved();
    ring();
    expect([await held.get('set'), disk.get('set')]).toEqual(['2', '2']);
  });

  it('EE-26 memory: of what is on disk, what was used last stays, up to a limit', async () => {
    const disk = new Map(['a', 'b', 'c'].map((key) => [key, 'x'.repeat(9)]));
    const { held, ring } = make(disk, 20);
    for (const key of ['a', 'b', 'a', 'c']) await held.get(key);
    ring();
    expect([held.peek('a'), held.peek('c')]).toEqual(['x'.repeat(9), 'x'.repeat(9)]);
    expect(() => held.peek('b')).toThrow('get right before it');
    await held.get('b');
    ring();
    expect(() => held.peek('a')).toThrow('get right before it');
    held.set('c', null);
    expect([await held.get('a'), await held.get('c')]).toEqual(['x'.repeat(9), undefined]);
  });
});
