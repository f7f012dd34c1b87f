import { useCallback, useState } from 'react';
import { useDevice } from './provider.tsx';

interface Kept {
  readonly text: string;
  /** Since when it differs from what is saved. */
  readonly since: number;
  /** The version that it began from, if there are versions. */
  readonly base: string | null;
}

export interface DocumentDraft {
  readonly text: string;
  readonly change: (text: string) => void;
  /** Undefined if nothing is unsaved. */
  readonly unsaved: Omit<Kept, 'text'> | undefined;
  /** Throws the changes away. */
  readonly discard: () => void;
  /** `sent` was saved, as the version `base`. What was typed since then stays a draft, and goes on from there. */
  readonly settle: (sent: string, base?: string | null) => void;
  /** The person saw what another version changed, and goes on from it. */
  readonly rebase: (base: string | null) => void;
}

/** The text of a document that is saved by a button: what is not saved yet is kept on the device (WC-62). */
export function useDocumentDraft(key: string, saved: string, base: string | null = null): DocumentDraft {
  const { drafts } = useDevice();
  const [kept, setKept] = useState(() => readKept(drafts.get(key)));
  const [settled, setSettled] = useState<{ readonly text: string; readonly over: string }>();
  // Only until what was saved is read again: it may become what it was before.
  if (settled !== undefined && settled.over !== saved) setSettled(undefined);
  const start = settled?.over === saved ? settled.text : saved;
  const text = kept?.text ?? start;
  const store = useCallback(
    (next: Kept | undefined) => {
      setKept(next);
      drafts.set(key, next === undefined ? '' : JSON.stringify(next));
    },
    [drafts, key],
  );
  return {
    text,
    change: (next) => {
      const { since, base: from } = kept ?? { since: Date.now(), base };
      store(next === start ? undefined : { text: next, since, base: from });
    },
    unsaved: kept,
    discard: () => {
      setSettled(undefined);
      store(undefined);
    },
    settle: (sent, version = null) => {
      setSettled({ text: sent, over: saved });
      // From the store: this function is of the moment when it was sent, and who has none went back to what was saved before.
      const now = readKept(drafts.get(key))?.text ?? start;
      store(now === sent ? undefined : { text: now, since: Date.now(), base: version });
    },
    rebase: (next) => kept && store({ ...kept, base: next }),
  };
}

/** What an older release kept in another form is not offered. */
function readKept(text: string | undefined): Kept | undefined {
  try {
    const value = JSON.parse(text ?? 'null') as Partial<Kept> | null;
    if (typeof value?.text !== 'string' || typeof value.since !== 'number') return undefined;
    return { text: value.text, since: value.since, base: typeof value.base === 'string' ? value.base : null };
  } catch {
    return undefined;
  }
}
