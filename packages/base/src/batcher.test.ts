import { describe, expect, it } from 'vitest';
import { createBatcher, createDeferred } from './index.ts';

const LIMITS = { size: 3, maxWaiting: 5, maxWaitingOfOne: 5, accountOf: () => 'ann', refuse: () => new Error('full') };

describe('HS-20 the batcher', () => {
  it('HS-20 what arrives during a run goes into the next, in batches of the given size', async () => {
    const runs: number[][] = [];
    const batcher = createBatcher<number, number>({
      ...LIMITS,
      run: async (inputs) => {
        runs.push([...inputs]);
        return inputs.map((input) => input * 2);
      },
    });
    const outcomes = await Promise.all([1, 2, 3, 4].map((input) => batcher.add(input)));
    expect(outcomes).toEqual([2, 4, 6, 8]);
    expect(runs).toEqual([[1, 2, 3], [4]]);
  });

  it('HS-20 an error rejects the input it belongs to, a failed run all of its inputs', async () => {
    const batcher = createBatcher<string, string>({
      ...LIMITS,
      run: async (inputs) => {
        if (inputs.includes('crash')) throw new Error('lost');
        return inputs.map((input) => (input === 'bad' ? new Error('bad') : input));
      },
    });
    const first = await Promise.allSettled([batcher.add('good'), batcher.add('bad')]);
    expect(first.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    const second = await Promise.allSettled([batcher.add('good'), batcher.add('crash')]);
    expect(second.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await batcher.add('after')).toBe('after');
  });

  it('HS-20 flood: beyond the limit nothing more is kept in memory', async () => {
    const gate = createDeferred();
    const batcher = createBatcher<number, number>({
      ...LIMITS,
      run: async (inputs) => inputs,
      gather: () => gate.promise,
    });
    const kept = [1, 2, 3, 4, 5].map((input) => batcher.add(input));
    await expect(batcher.add(6)).rejects.toThrow('full');
    gate.resolve();
    expect(await Promise.all(kept)).toEqual([1, 2, 3, 4, 5]);
    await batcher.idle();
  });

  it('OP-3 attack: who adds very much is refused more, and an input of another is in the next run', async () => {
    const runs: string[][] = [];
    const gate = createDeferred();
    const batcher = createBatcher<string, string>({
      size: 3,
      maxWaiting: 100,
      maxWaitingOfOne: 5,
      accountOf: (input) => input[0]!,
      refuse: (reason) => new Error(reason),
      run: async (inputs) => {
        runs.push([...inputs]);
        return inputs;
      },
      gather: () => gate.promise,
    });
    const flood = ['e1', 'e2', 'e3', 'e4', 'e5'].map((input) => batcher.add(input));
    await expect(batcher.add('e6')).rejects.toThrow('account_full');
    const innocent = batcher.add('a1');
    gate.resolve();
    expect(await Promise.all([...flood, innocent])).toEqual(['e1', 'e2', 'e3', 'e4', 'e5', 'a1']);
    expect(runs).toEqual([
      ['e1', 'a1', 'e2'],
      ['e3', 'e4', 'e5'],
    ]);
  });
});
