// What every store must do. It throws instead of using a test runner, so that it also runs inside a page.

interface TestedStore {
  get(key: string): Promise<string | undefined>;
  list(prefix: string): Promise<readonly (readonly [string, string])[]>;
  write(batch: ReadonlyMap<string, string | null>): Promise<void>;
  close(): Promise<void>;
}

export interface StoreLocation {
  /** Opens the same store each time; it is empty at first. */
  open(): Promise<TestedStore>;
}

export interface StoreCase {
  readonly title: string;
  /** Needs a store that keeps its data after it was closed. */
  readonly lasting: boolean;
  run(location: StoreLocation): Promise<void>;
}

/**
 * Texts that an encoding may damage: a lone surrogate, NUL, line ends, characters that JSON and UTF-16 treat specially.
 */
const ODD_TEXTS = ['', ' ', '\u0000', 'a\nb\r\n', '"\\', '你好 👋', '\ud800', '\udc00x', '\u2028', 'x'.repeat(300_000)];

const inOrder = (pairs: readonly (readonly [string, string])[]) =>
  pairs.map(([key, value]) => `${key}=${value}`).join();

function same(actual: unknown, expected: unknown, what: string): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a?.slice(0, 200)} instead of ${b?.slice(0, 200)}`);
}

async function refuses(attempt: Promise<unknown>, code: string): Promise<void> {
  const outcome = await attempt.then(
    () => 'done',
    (error) => error.code ?? `${error}`,
  );
  same(outcome, code, 'what became of it');
}

async function using(location: StoreLocation, work: (store: TestedStore) => Promise<void>): Promise<void> {
  const store = await location.open();
  try {
    await work(store);
  } finally {
    await store.close();
  }
}

const once = (title: string, work: (store: TestedStore) => Promise<void>): StoreCase => ({
  title,
  lasting: false,
  run: (location) => using(location, work),
});

const lasting = (title: string, run: StoreCase['run']): StoreCase => ({ title, lasting: true, run });

export const STORE_CASES: readonly StoreCase[] = [
  once('an empty one has nothing', async (store) => {
    same(await store.get('a'), undefined, 'get');
    same(await store.list(''), [], 'list');
  }),
  once('what is written is read, replaced and deleted', async (store) => {
    await store.write(
      new Map([
        ['a', '1'],
        ['b', '2'],
      ]),
    );
    same([await store.get('a'), await store.get('b')], ['1', '2'], 'written');
    await store.write(
      new Map([
        ['a', '3'],
        ['b', null],
        ['never', null],
      ]),
    );
    same(await store.list(''), [['a', '3']], 'replaced');
    await store.write(new Map());
    same(await store.list(''), [['a', '3']], 'after nothing');
  }),
  once('lists by prefix in the order of UTF-16', async (store) => {
    const keys = ['b/2', 'b/10', 'b', 'a/1', 'b/\u{1f600}', 'b/\uffee', 'B/1', '__proto__', 'b/é'];
    await store.write(new Map(keys.map((key) => [key, key])));
    const sorted = (prefix: string) => keys.filter((key) => key.startsWith(prefix)).sort();
    for (const prefix of ['', 'b', 'b/', 'b/1', 'c', '__proto__']) {
      same(
        (await store.list(prefix)).map(([key]) => key),
        sorted(prefix),
        `list ${prefix}`,
      );
    }
  }),
  once('batches given at the same time are applied in their order', async (store) => {
    const writes = Array.from({ length: 200 }, (_, n) =>
      store.write(
        new Map([
          ['last', `${n}`],
          [`n/${n % 50}`, `${n}`],
        ]),
      ),
    );
    await Promise.all(writes);
    same(await store.get('last'), '199', 'the last one');
    same((await store.list('n/')).length, 50, 'how many');
    same(await store.get('n/7'), '157', 'one of them');
  }),
  once('a batch altered after it was given is written as it was given', async (store) => {
    const batch = new Map([['a', '1']]);
    const written = store.write(batch);
    batch.set('a', '2').set('b', '2');
    await written;
    same(await store.list(''), [['a', '1']], 'list');
  }),
  once('once it is closed nothing is read or written', async (store) => {
    const last = store.write(new Map([['a', '1']]));
    await store.close();
    await last;
    await refuses(store.get('a'), 'STORE_CLOSED');
    await refuses(store.list(''), 'STORE_CLOSED');
    await refuses(store.write(new Map([['a', '2']])), 'STORE_CLOSED');
    await store.close();
  }),
  lasting('everything is there when it is opened again', async (location) => {
    const texts = new Map(
      ODD_TEXTS.flatMap(
        (text, n) =>
          [
            [`v/${n}`, text],
            [`k/${text.slice(0, 50)}`, '1'],
          ] as const,
      ),
    );
    let before = '';
    await using(location, async (store) => {
      await store.write(texts);
      await store.write(
        new Map([
          ['v/0', null],
          ['v/1', 'new'],
        ]),
      );
      before = inOrder(await store.list(''));
    });
    await using(location, async (store) => {
      same(inOrder(await store.list('')) === before, true, 'the same content');
      same(await store.get('v/0'), undefined, 'what was deleted');
      for (const [n, text] of ODD_TEXTS.entries()) if (n > 1) same(await store.get(`v/${n}`), text, `text ${n}`);
    });
  }),
  lasting('what was given before it was closed is there', async (location) => {
    const first = await location.open();
    const writes = Array.from({ length: 20 }, (_, n) => first.write(new Map([[`${n}`, 'x']])));
    await first.close();
    await Promise.all(writes);
    await using(location, async (store) => same((await store.list('')).length, 20, 'how many'));
  }),
  lasting('much rewriting leaves only the last of it', async (location) => {
    await using(location, async (store) => {
      const value = 'y'.repeat(20_000);
      for (let n = 0; n < 300; n++)
        await store.write(
          new Map([
            [`k/${n % 3}`, `${n} ${value}`],
            [`gone/${n}`, value],
            [`gone/${n - 1}`, null],
          ]),
        );
    });
    await using(location, async (store) => {
      same(
        (await store.list('')).map(([key, text]) => `${key} ${text.slice(0, 3)}`),
        ['gone/299 yyy', 'k/0 297', 'k/1 298', 'k/2 299'],
        'what is left',
      );
    });
  }),
];
