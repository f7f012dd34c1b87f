import { createMemoryStore, messengerError, type Store, type StoreBatch } from '@parley/messenger';
import { describe, expect, it } from 'vitest';
import { loadDrafts } from './drafts.ts';

describe('WC-1 drafts', () => {
  it('WC-1 what was typed is there at once, and after the program was started again', async () => {
    const store = createMemoryStore();
    const drafts = await loadDrafts(store);
    drafts.set('message/1', 'Hello');
    drafts.set('message/1', 'Hello there');
    expect(drafts.get('message/1')).toBe('Hello there');
    drafts.set('message/1', 'Hello there, Ada');
    await expect.poll(() => store.get('client/draft/message/1')).toBe('Hello there, Ada');
    expect((await loadDrafts(store)).get('message/1')).toBe('Hello there, Ada');
  });

  it('WC-1 the store has each change at once, also while it writes: whoever reloads then loses no letter', async () => {
    const given: unknown[] = [];
    const write = (batch: StoreBatch) => {
      given.push(batch.get('client/draft/message/1'));
      return new Promise<void>(() => {});
    };
    const drafts = await loadDrafts({ ...createMemoryStore(), write });
    for (const text of ['H', 'He', '']) drafts.set('message/1', text);
    expect(given).toEqual(['H', 'He', null]);
    expect(drafts.unsaved()).toEqual([]);
    drafts.set('message/1', 'Hel');
    expect(drafts.unsaved()).toEqual([{ key: 'message/1', text: 'Hel', saved: '' }]);
  });

  it('WC-1 what a full disk did not take is written when everything has to be on disk', async () => {
    const store = createMemoryStore();
    const { write } = store;
    const drafts = await loadDrafts(store);
    drafts.set('message/sent', 'Hello');
    await drafts.flush();
    store.write = () => Promise.reject(messengerError('STORE_FULL', { params: { location: 'test' } }));
    drafts.set('message/1', 'Hello');
    drafts.set('message/sent', '');
    await drafts.flush();
    expect(drafts.unsaved().map(({ key }) => key)).toEqual(['message/1', 'message/sent']);
    store.write = write;
    await drafts.flush();
    expect(drafts.unsaved()).toEqual([]);
    expect(await store.list('client/draft/')).toEqual([['client/draft/message/1', 'Hello']]);
  });

  it('WC-1 an empty text removes a draft, on disk too, and so does its prefix', async () => {
    const store = createMemoryStore();
    const drafts = await loadDrafts(store);
    drafts.set('message/1', 'Hello');
    drafts.set('card/1/a', 'x');
    drafts.set('card/1/b', 'y');
    await drafts.flush();
    drafts.set('message/1', '');
    drafts.remove('card/1/');
    await drafts.flush();
    expect(await store.list('client/draft/')).toEqual([]);
    expect(drafts.get('card/1/a')).toBeUndefined();
  });

  it('WC-1 a store that another tab has taken over loses nothing that is still on the screen', async () => {
    const lost: Store = { ...createMemoryStore(), write: () => Promise.reject(new Error('STORE_LOST')) };
    const drafts = await loadDrafts(lost);
    drafts.set('message/1', 'Hello');
    await drafts.flush();
    expect(drafts.get('message/1')).toBe('Hello');
  });

  it('WC-1 who shows a draft hears of what is typed elsewhere, and of its end', async () => {
    const drafts = await loadDrafts(createMemoryStore());
    const seen: (string | undefined)[] = [];
    const stop = drafts.subscribe(() => void seen.push(drafts.get('card/1/a')));
    drafts.set('card/1/a', 'x');
    drafts.set('card/1/a', 'x');
    drafts.remove('card/1/');
    stop();
    drafts.set('card/1/a', 'y');
    expect(seen).toEqual(['x', undefined]);
  });

  it('WC-1 of very many drafts, those that were changed last stay, also after the program was started again', async () => {
    const store = createMemoryStore();
    // As a version before kept it, without a number.
    await store.write(new Map([['client/draft/message/zzz', 'Long ago']]));
    const first = await loadDrafts(store);
    // Neither the order of the keys nor that of numbers as texts.
    for (let n = 998; n >= 0; n--) first.set(`message/${n}`, 'Hello');
    await first.flush();
    const drafts = await loadDrafts(store);
    drafts.set('message/new', 'Hello');
    expect([drafts.get('message/zzz'), drafts.get('message/998')]).toEqual([undefined, 'Hello']);
    drafts.set('message/newer', 'Hello');
    expect([drafts.get('message/998'), drafts.get('message/997'), drafts.get('message/0')]).toEqual([
      undefined,
      'Hello',
      'Hello',
    ]);
    await drafts.flush();
    expect(await store.list('client/draft-changed/')).toHaveLength(1_000);
  });

  it('WC-62 no document goes to make room for messages', async () => {
    const drafts = await loadDrafts(createMemoryStore());
    const documents = ['manifest/a', 'bundle/new', 'skill/new', 'agent/a'];
    for (const key of documents) drafts.set(key, 'Hello');
    for (let n = 0; n < 1_001; n++) drafts.set(`message/${n}`, 'Hello');
    expect(documents.map(drafts.get)).toEqual(documents.map(() => 'Hello'));
    expect([drafts.get('message/4'), drafts.get('message/5')]).toEqual([undefined, 'Hello']);
  });

  /** What this tab could not write, in a store that another tab has changed. */
  async function takeBack(inStore: string, { saved, text }: { saved: string; text: string }): Promise<string> {
    const store = createMemoryStore();
    const first = await loadDrafts(store);
    first.set('message/1', saved);
    await first.flush();
    store.write = () => Promise.reject(new Error('STORE_LOST'));
    first.set('message/1', text);
    await first.flush();
    const other = await loadDrafts(createMemoryStore());
    other.set('message/1', inStore);
    other.merge(first.unsaved());
    return other.get('message/1') ?? '';
  }

  it.each([
    ['is taken when nothing else was typed', { inStore: 'Hel', saved: 'Hel', text: 'Hello' }, 'Hello'],
    ['stays beside what was typed elsewhere', { inStore: 'Bye', saved: '', text: 'Hello' }, 'Bye\n\nHello'],
    ['is not repeated when it is there already', { inStore: 'Hello Ada', saved: '', text: 'Hello' }, 'Hello Ada'],
    ['replaces a part of itself', { inStore: 'Hello', saved: '', text: 'Hello Ada' }, 'Hello Ada'],
    ['that was sent or thrown away elsewhere does not come back', { inStore: '', saved: 'Hello', text: 'Hello' }, ''],
    [
      'that was sent here takes nothing of what was typed elsewhere',
      { inStore: 'Bye', saved: 'Hello', text: '' },
      'Bye',
    ],
  ])('WC-2 a text that could not be written %s', async (_, { inStore, ...mine }, expected) => {
    expect(await takeBack(inStore, mine)).toBe(expected);
  });

  it('WC-2 of a card, what is in the store stays as it is, and what could not be written beside it', async () => {
    const drafts = await loadDrafts(createMemoryStore());
    drafts.set('card/1/a', '{"name":"new"}');
    drafts.merge([{ key: 'card/1/a', saved: '', text: '{"name":"old"}' }]);
    expect(drafts.get('card/1/a')).toBe('{"name":"new"}');
    expect(drafts.get('other/card/1/a')).toBe('{"name":"old"}');
    // What was sent here, and changed there since.
    drafts.merge([{ key: 'card/1/a', saved: '{"name":"old"}', text: '' }]);
    expect(drafts.get('card/1/a')).toBe('{"name":"new"}');
    expect(drafts.list()).toHaveLength(2);
  });

  it('WC-2 a message that could not be kept goes back to what was typed since', async () => {
    const drafts = await loadDrafts(createMemoryStore());
    let changes = 0;
    drafts.subscribe(() => changes++);
    drafts.set('message/1', 'And then?');
    drafts.giveBack('message/1', 'Hello');
    expect(drafts.get('message/1')).toBe('And then?\n\nHello');
    expect(changes).toBe(2);
  });

  it('WC-1 WC-62 attack: a thousand small texts do not push out a document that another tab has kept', async () => {
    const drafts = await loadDrafts(createMemoryStore());
    drafts.set('manifest/1', 'here');
    drafts.merge([{ key: 'manifest/1', text: 'there', saved: '' }]);
    for (let n = 0; n < 1_100; n++) drafts.set(`card/1/agent/${n}`, 'x');
    expect(drafts.get('manifest/1')).toBe('here');
    expect(drafts.get('other/manifest/1')).toBe('there');
  });

  it('WC-1 attack: a damaged number of one draft does not decide which other one goes', async () => {
    const store = createMemoryStore();
    await store.write(new Map([['client/draft-changed/card/1/agent/x', 'damaged']]));
    const before = await loadDrafts(store);
    for (let n = 0; n < 999; n++) before.set(`card/1/agent/${n}`, 'x');
    before.set('card/1/agent/0', 'typed just now');
    await before.flush();
    const drafts = await loadDrafts(store);
    for (let n = 0; n < 10; n++) drafts.set(`card/2/agent/${n}`, 'x');
    expect(drafts.get('card/1/agent/0')).toBe('typed just now');
    expect(drafts.get('card/1/agent/1')).toBeUndefined();
  });
});
