import { describe, expect, it } from 'vitest';
import { messengerError } from '../errors.ts';
import { createBatchedStore } from './batched-store.ts';
import { applyChanges, createEntryMap } from './entry-map.ts';
import type { StoreChanges } from './store.ts';

/** A disk whose commits the test lets through, or not, by hand. */
function openDisk() {
  const commits: { changes: StoreChanges; resolve: () => void; reject: (error: unknown) => void }[] = [];
  const entries = new Map<string, string>();
  let released = 0;
  const store = createBatchedStore({
    location: 'test',
    ...createEntryMap(entries),
    commit: (changes) =>
      new Promise((resolve, reject) => {
        const finish = () => {
          applyChanges(entries, changes);
          resolve();
        };
        commits.push({ changes: new Map(changes), resolve: finish, reject });
      }),
    release: async () => {
      released++;
    },
  });
  return { store, commits, released: () => released };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('EE-7 batches given while another is being written', () => {
  it('EE-7 become one commit with the last value of each key, and are read when it is on disk', async () => {
    const { store, commits } = openDisk();
    const first = store.write(new Map([['a', '1']]));
    await turn();
    const others = [2, 3, 4].map((n) =>
      store.write(
        new Map([
          ['a', `${n}`],
          [`b/${n}`, ''],
        ]),
      ),
    );
    await turn();
    expect(commits).toHaveLength(1);
    commits[0]!.resolve();
    await first;
    expect(await store.get('a')).toBe('1');
    await turn();
    expect(commits).toHaveLength(2);
    expect([...commits[1]!.changes]).toEqual([
      ['a', '4'],
      ['b/2', ''],
      ['b/3', ''],
      ['b/4', ''],
    ]);
    commits[1]!.resolve();
    await Promise.all(others);
    expect(await store.get('a')).toBe('4');
  });

  it('EE-7 broken disk: the batch and all after it are refused, and nothing is read that may not be there', async () => {
    const { store, commits, released } = openDisk();
    const first = store.write(new Map([['a', '1']]));
    await turn();
    const second = store.write(new Map([['a', '2']]));
    commits[0]!.reject(Object.assign(new Error('broken /secret/path'), { code: 'EIO' }));
    const refusal = { code: 'STORE_FAILED', params: { location: 'test', reason: 'EIO' } };
    await expect(first).rejects.toMatchObject(refusal);
    await expect(second).rejects.toMatchObject(refusal);
    await expect(store.write(new Map([['a', '3']]))).rejects.toMatchObject(refusal);
    await expect(store.get('a')).rejects.toMatchObject(refusal);
    expect(commits).toHaveLength(1);
    await store.close();
    expect(released()).toBe(1);
  });

  it('EE-26 full disk: the batch is refused, what was there is read, and the next batch is written', async () => {
    const { store, commits } = openDisk();
    const first = store.write(new Map([['a', '1']]));
    await turn();
    commits[0]!.reject(messengerError('STORE_FULL', { params: { location: 'test' } }));
    await expect(first).rejects.toMatchObject({ code: 'STORE_FULL', retry: true });
    expect(await store.get('a')).toBeUndefined();
    const second = store.write(new Map([['a', '2']]));
    await turn();
    commits[1]!.resolve();
    await second;
    expect(await store.get('a')).toBe('2');
  });
});
