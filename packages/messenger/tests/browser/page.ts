import { STORE_CASES } from '@parley/testkit/contracts';
import type { Store } from '../../src/index.ts';
import { exportBackup, importBackup } from '../../src/stores/backup.ts';
import { openIndexedDbStore } from '../../src/stores/indexed-db.ts';
import { createMemoryStore } from '../../src/stores/memory.ts';
import type { OnBusy } from '../../src/stores/web-lock.ts';

const held = new Map<string, Store>();
const lost: string[] = [];

/** What became of it: a value, or the code of the failure. */
async function attempt<Value>(work: () => Promise<Value>): Promise<Value | string> {
  try {
    return await work();
  } catch (error) {
    return `! ${(error as { code?: string }).code ?? error}`;
  }
}

async function runCases(): Promise<Record<string, string>> {
  const outcomes: Record<string, string> = {};
  for (const { title, run } of STORE_CASES) {
    const place = { open: () => openIndexedDbStore(`case ${title}`) };
    outcomes[title] = String(await attempt(() => run(place).then(() => 'kept')));
  }
  return outcomes;
}

/** The database behind the store's back. */
async function lookInside(name: string): Promise<{ extractable: boolean; exported: string; texts: string[] }> {
  const settle = <Value>(request: IDBRequest<Value>) =>
    new Promise<Value>((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  const db = await settle(indexedDB.open(`parley-store/${name}`));
  const transaction = db.transaction(['entries', 'meta']);
  const [key, values] = await Promise.all([
    settle<CryptoKey>(transaction.objectStore('meta').get('key')),
    settle<Uint8Array[]>(transaction.objectStore('entries').getAll()),
  ]);
  db.close();
  const exported = await crypto.subtle.exportKey('raw', key).then(
    () => 'exported',
    (error) => error.name as string,
  );
  const texts = values.map((bytes) => new TextDecoder('latin1').decode(bytes));
  return { extractable: key.extractable, exported, texts };
}

/** Puts the value of one key in the place of another's. */
async function exchange(name: string, from: string, to: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const opening = indexedDB.open(`parley-store/${name}`);
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('entries', 'readwrite');
      const entries = transaction.objectStore('entries');
      const reading = entries.get(from);
      reading.onsuccess = () => entries.put(reading.result, to);
      transaction.oncomplete = () => {
        opening.result.close();
        resolve();
      };
      transaction.onabort = () => reject(transaction.error);
    };
  });
}

const actions = {
  runCases,
  lookInside,
  exchange,
  open: (name: string, onBusy: OnBusy) =>
    attempt(async () => {
      held.set(name, await openIndexedDbStore(name, { onBusy, onLost: () => lost.push(name) }));
      return 'open';
    }),
  lost: async () => [...lost],
  write: (name: string, key: string, value: string) =>
    attempt(async () => {
      await held.get(name)!.write(new Map([[key, value]]));
      return 'written';
    }),
  get: (name: string, key: string) => attempt(async () => held.get(name)!.get(key)),
  close: (name: string) => held.get(name)!.close(),
  importBackup: (text: string, passphrase: string) =>
    attempt(async () => {
      const store = createMemoryStore();
      await importBackup(text, passphrase, store);
      return store.list('');
    }),
  exportBackup: async (name: string, passphrase: string) => exportBackup(held.get(name)!, passphrase),
};

export type Actions = typeof actions;
Object.assign(globalThis, { actions });
