import { describe, expect, it } from 'vitest';
import { createObservable, waitUntil } from './index.ts';

describe('HS-20 observables', () => {
  it('HS-20 listeners hear of a change, once per subscription, until they end it', () => {
    const value = createObservable(1);
    const heard: number[] = [];
    const listener = () => heard.push(value.getSnapshot());
    const [first, second] = [value.subscribe(listener), value.subscribe(listener)];
    value.set(2);
    value.set(2);
    first();
    value.set(3);
    second();
    value.set(4);
    expect(heard).toEqual([2, 2, 3]);
  });

  it('HS-20 the first value that fits is waited for, now or later', async () => {
    const value = createObservable(1);
    expect(await waitUntil(value, (now) => now === 1)).toBe(1);
    const later = waitUntil(value, (now) => now > 2);
    value.set(2);
    value.set(3);
    value.set(4);
    expect(await later).toBe(3);
  });
});
