import { displayText } from '@parley/documents';
import type { Crypto } from '@parley/e2ee';
import { loadList, type SeenList, type Store } from '@parley/messenger';
import type { Head } from '@parley/protocol';
import { DEVICE_NAMES } from '../account/devices.ts';
import type { OtherDevice } from '../account/other-device.ts';
import { isFurther, subjectOf } from './compare-heads.ts';

/** What the account's other devices have said they were shown (EE-23), each of them for itself. */
export interface HeardHeads {
  /** The other devices that the list names. */
  others(): readonly OtherDevice[];
  /** The account's own list, as this device was shown it. */
  list(): SeenList | undefined;
  /** Has it said anything yet? */
  hasSpoken(deviceId: string): boolean;
  of(deviceId: string, subject: Pick<Head, 'kind' | 'id'>): Head | undefined;
  about(subject: Pick<Head, 'kind' | 'id'>): readonly { readonly by: OtherDevice; readonly head: Head }[];
  all(): readonly { readonly by: OtherDevice; readonly head: Head }[];
  /** Returns what was not known, when it is on disk. Nothing of a device that is not listed is kept. */
  add(deviceId: string, heads: readonly Head[]): Promise<readonly Head[]>;
  /** Drops a head, whoever said it. */
  forget(head: Head): Promise<void>;
  /** Reads the list again. What a device said that it no longer names is forgotten, and returned. */
  reload(): Promise<readonly Head[]>;
}

interface HeardDeps {
  readonly store: Store;
  readonly crypto: Crypto;
  readonly accountId: string;
  readonly deviceId: string;
}

const PREFIX = 'client/heard/';
/** More than a person has chains: one device must not fill the disk of another. */
const MAX_OF_ONE = 5_000;

export async function loadHeardHeads({ store, crypto, accountId, deviceId }: HeardDeps): Promise<HeardHeads> {
  const heard = new Map<string, Map<string, Head>>();
  for (const [key, text] of await store.list(PREFIX)) {
    const heads = JSON.parse(text) as readonly Head[];
    heard.set(key.slice(PREFIX.length), new Map(heads.map((head) => [subjectOf(head), head])));
  }
  let list: SeenList | undefined;
  let others: readonly OtherDevice[] = [];

  async function reload(): Promise<readonly Head[]> {
    list = await loadList(store, crypto, accountId);
    const names = new Map(
      (await store.list(DEVICE_NAMES)).map(([key, name]) => [key.slice(DEVICE_NAMES.length), name]),
    );
    const ids = [...(list?.list.devices.keys() ?? [])].filter((id) => id !== deviceId);
    others = ids.map((id) => ({ deviceId: id, name: displayText(names.get(id) ?? id) }));
    const gone = [...heard.keys()].filter((id) => !ids.includes(id));
    const forgotten = gone.flatMap((id) => [...heard.get(id)!.values()]);
    for (const id of gone) heard.delete(id);
    if (gone.length > 0) await store.write(new Map(gone.map((id) => [PREFIX + id, null])));
    return forgotten;
  }
  await reload();

  return {
    others: () => others,
    list: () => list,
    hasSpoken: (id) => heard.has(id),
    of: (id, subject) => heard.get(id)?.get(subjectOf(subject)),
    about: (subject) =>
      others.flatMap((by) => {
        const head = heard.get(by.deviceId)?.get(subjectOf(subject));
        return head === undefined ? [] : [{ by, head }];
      }),
    all: () => others.flatMap((by) => [...(heard.get(by.deviceId)?.values() ?? [])].map((head) => ({ by, head }))),
    async add(id, heads) {
      if (!others.some((other) => other.deviceId === id)) return [];
      const known = heard.get(id) ?? new Map<string, Head>();
      const news = heads.filter((head) => {
        const subject = subjectOf(head);
        if (!isFurther(head, known.get(subject)) || (known.size >= MAX_OF_ONE && !known.has(subject))) return false;
        known.set(subject, head);
        return true;
      });
      heard.set(id, known);
      if (news.length > 0) await store.write(new Map([[PREFIX + id, JSON.stringify([...known.values()])]]));
      return news;
    },
    async forget(head) {
      const changed = [...heard].filter(([, heads]) => isSame(heads.get(subjectOf(head)), head));
      for (const [, heads] of changed) heads.delete(subjectOf(head));
      await store.write(new Map(changed.map(([id, heads]) => [PREFIX + id, JSON.stringify([...heads.values()])])));
    },
    reload,
  };
}

const isSame = (a: Head | undefined, b: Head) => JSON.stringify(a) === JSON.stringify(b);
