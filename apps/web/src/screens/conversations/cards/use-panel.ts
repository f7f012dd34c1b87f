import { useCallback, useRef, useState, useSyncExternalStore } from 'react';

const KEY = 'parley.cards.';
/** Less has no room for the list, the conversation and the panel, none of which may lie over another. */
const NARROW = '(width < 72rem)';

export interface Panel {
  readonly isOpen: boolean;
  /** It covers the conversation, as on a phone: all of it, so that nothing is half below the panel. */
  readonly covers: boolean;
  /** The person has just opened it, so the focus goes there. */
  readonly wasAsked: boolean;
  /** The card that is shown, by the key of its message; without one, all of them. */
  readonly chosen: string | undefined;
  open(messageKey?: string): void;
  close(): void;
}

/** The panel of cards of one conversation. Whether it is open is remembered where it leaves the conversation visible. */
export function usePanel(conversationId: string): Panel {
  const covers = useNarrow();
  const [isOpen, setOpen] = useState(() => !covers && localStorage.getItem(KEY + conversationId) !== null);
  const [chosen, choose] = useState<string>();
  const wasAsked = useRef(false);
  const opener = useRef<Element>(null);
  const open = useCallback(
    (messageKey?: string) => {
      opener.current = document.activeElement;
      wasAsked.current = true;
      localStorage.setItem(KEY + conversationId, '1');
      setOpen(true);
      choose(messageKey);
    },
    [conversationId],
  );
  const close = useCallback(() => {
    localStorage.removeItem(KEY + conversationId);
    setOpen(false);
    const { current } = opener;
    // What it covered cannot be focused before it is gone.
    requestAnimationFrame(() => {
      if (current instanceof HTMLElement && current.isConnected) current.focus();
    });
  }, [conversationId]);
  return { isOpen, covers, wasAsked: wasAsked.current, chosen, open, close };
}

function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = matchMedia(NARROW);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => matchMedia(NARROW).matches,
  );
}
