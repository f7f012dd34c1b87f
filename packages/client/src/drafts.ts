import { createObservable } from '@parley/base';
import type { Store } from '@parley/messenger';
import type { Sender } from '@parley/protocol';

/** What a person has typed and not sent yet: messages, cards, manifests. It is kept on this device, like the history. */
export interface Drafts {
  get(key: string): string | undefined;
  /** It is written at once, or as soon as the write before is done. An empty text removes it. */
  set(key: string, text: string): void;
  /** Puts a text back that could not be sent, without losing what was typed since. */
  giveBack(key: string, text: string): void;
  /** Everything that is on this device, or should be. */
  list(): readonly Draft[];
  /** What was typed and is not on disk, because it could not be written or was not yet. */
  unsaved(): readonly UnsavedDraft[];
  /**
   * Takes in what another run could not write; what was changed here meanwhile stays as well: of a message below it, of
   * anything else under the same key behind `OTHER_DRAFTS`.
   */
  merge(drafts: readonly UnsavedDraft[]): void;
  /** Removes the drafts whose key begins like this. */
  remove(prefix: string): void;
  subscribe(listener: () => void): () => void;
}

export interface Draft {
  readonly key: string;
  readonly text: string;
}

export interface UnsavedDraft extends Draft {
  /** What is on disk. */
  readonly saved: string;
}

export interface OpenDrafts extends Drafts {
  /** Resolves when everything is on disk; what could not be written is tried once more. */
  flush(): Promise<void>;
}

/** Texts that could not be joined with what is under their key now. */
export const OTHER_DRAFTS = 'other/';

/** An agent chooses the ids of its cards: in a group, another one's card may have the same. */
export const cardDraftKey = (conversationId: string, sender: Pick<Sender, 'id'>, artifactId: string): string =>
  `card/${conversationId}/${sender.id}/${artifactId}`;

const PREFIX = 'client/draft/';
/** By draft, the number of its last change. */
const CHANGED = 'client/draft-changed/';
const MESSAGE = 'message/';
/** More than anyone has open; the one that was changed longest ago goes first. */
const MAX_DRAFTS = 1_000;
/** Documents, which took more work than a message or a card: they never go to make room. */
const DOCUMENTS = /^(?:other\/)?(?:manifest|bundle|skill|agent)\//;

export async function loadDrafts(store: Store): Promise<OpenDrafts> {
  const numbers = new Map(
    (await store.list(CHANGED)).map(([key, text]) => [key.slice(CHANGED.length), Number(text) || 0] as const),
  );
  let lastChange = Math.max(0, ...numbers.values());
  // Of what a version before has kept, nobody knows when it was changed.
  const numberOf = (key: string) => numbers.get(key) ?? 0;
  const rows = (await store.list(PREFIX)).map(([key, text]) => [key.slice(PREFIX.length), text] as const);
  /** In the order of their last change. */
  const drafts = new Map(rows.sort(([a], [b]) => numberOf(a) - numberOf(b)));
  /** What is on disk. */
  const saved = new Map(drafts);
  const version = createObservable(0);
  let writing = Promise.resolve();

  /** While the store writes, it joins what else comes: each change goes to it at once. */
  function write(keys: readonly string[]): Promise<void> {
    const texts = new Map(keys.map((key) => [key, drafts.get(key)]));
    const batch = new Map<string, string | null>();
    for (const [key, text] of texts) {
      batch.set(PREFIX + key, text ?? null);
      batch.set(CHANGED + key, text === undefined ? null : String(numberOf(key)));
    }
    const note = () => {
      for (const [key, text] of texts) {
        if (text === undefined) saved.delete(key);
        else saved.set(key, text);
      }
    };
    // What cannot be written, because the disk is full or another tab has the store, is still in memory.
    if (batch.size > 0) writing = store.write(batch).then(note, () => {});
    return writing;
  }

  function change(key: string, text: string): void {
    drafts.delete(key);
    numbers.delete(key);
    if (text !== '') {
      drafts.set(key, text);
      numbers.set(key, ++lastChange);
    }
    void write([key]);
    version.set(version.getSnapshot() + 1);
  }

  function unsaved(): readonly UnsavedDraft[] {
    const keys = [...new Set([...drafts.keys(), ...saved.keys()])];
    const all = keys.map((key) => ({ key, text: drafts.get(key) ?? '', saved: saved.get(key) ?? '' }));
    return all.filter((draft) => draft.text !== draft.saved);
  }

  function set(key: string, text: string): void {
    if ((drafts.get(key) ?? '') === text) return;
    change(key, text);
    if (drafts.size <= MAX_DRAFTS) return;
    const small = [...drafts.keys()].filter((one) => one !== key && !DOCUMENTS.test(one));
    for (const oldest of small.slice(0, drafts.size - MAX_DRAFTS)) change(oldest, '');
  }

  return {
    get: (key) => drafts.get(key),
    set,
    giveBack: (key, text) => set(key, join(drafts.get(key) ?? '', text)),
    list: () => [...drafts].map(([key, text]) => ({ key, text })),
    unsaved,
    merge(others) {
      for (const { key, text, saved: before } of others) {
        const here = drafts.get(key) ?? '';
        if (here === before) set(key, text);
        else if (text === '') continue;
        // Only texts can be put one below the other; of anything else, what is here is the newer one.
        else if (key.startsWith(MESSAGE)) set(key, join(here, text));
        else if (here !== text) set(otherKey(key), join(drafts.get(otherKey(key)) ?? '', text));
      }
    },
    subscribe: version.subscribe,
    remove(prefix) {
      for (const key of [...drafts.keys()]) if (key.startsWith(prefix)) change(key, '');
    },
    flush: () => write(unsaved().map(({ key }) => key)),
  };
}

const otherKey = (key: string) => (key.startsWith(OTHER_DRAFTS) ? key : OTHER_DRAFTS + key);

function join(here: string, other: string): string {
  if (here.includes(other)) return here;
  return other.includes(here) ? other : `${here}\n\n${other}`;
}
