import { createDeferred } from '@parley/base';
import { expect, it } from 'vitest';
import { createSharedReads } from './shared-reads.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

it('OP-3 attack: a thousand reads of one account hold half of the places, and another’s is next', async () => {
  const reads = createSharedReads(10);
  const begun: string[] = [];
  const gate = createDeferred();
  const read = (account: string, key: string) =>
    reads.run(account, key, async () => {
      begun.push(account);
      await gate.promise;
    });
  const all = Array.from({ length: 1_000 }, (_, n) => read('eve', `eve ${n}`));
  all.push(read('ann', 'ann'));
  await settle();
  expect(begun).toEqual(['eve', 'eve', 'ann']);
  gate.resolve();
  await Promise.all(all);
});

it('OP-3 reads of one key that wait are one, and one that has begun is not joined: it may not have the news', async () => {
  const reads = createSharedReads(1);
  const gates = [createDeferred(), createDeferred()];
  let count = 0;
  const read = () =>
    reads.run('ann', 'events', async () => {
      const own = ++count;
      await gates[own - 1]!.promise;
      return own;
    });
  const first = [read(), read()];
  await settle();
  const second = [read(), read(), read()];
  for (const gate of gates) gate.resolve();
  expect(await Promise.all([...first, ...second])).toEqual([1, 1, 2, 2, 2]);
});

it('OP-3 a read that fails tells everyone who asked for it, and leaves its place', async () => {
  const reads = createSharedReads(1);
  const fail = () => reads.run('ann', 'events', () => Promise.reject(new Error('no')));
  const failed = await Promise.allSettled([fail(), fail()]);
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await reads.run('ann', 'events', async () => 'yes')).toBe('yes');
});
