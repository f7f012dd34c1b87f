import { useEffect, useState } from 'react';

/** Whoever has pressed no key for this long has stopped typing. */
const PAUSE_MS = 1_500;

const EDITABLE = 'input, textarea, select, [contenteditable]:not([contenteditable=false])';

/** Knows whether someone is typing, so that no question takes the focus from under their fingers (WC-16). */
export interface Typing {
  /** How long they are typing still, if they press no other key; 0 if nobody is. */
  msLeft(): number;
}

/** Watches from before the first question. */
export function useTyping(): Typing {
  const [typing] = useState(createTyping);
  useEffect(() => {
    const watching = new AbortController();
    const options = { capture: true, passive: true, signal: watching.signal } as const;
    addEventListener('keydown', typing.onKey, options);
    addEventListener('compositionstart', () => typing.setComposing(true), options);
    addEventListener('compositionend', () => typing.setComposing(false), options);
    return () => watching.abort();
  }, [typing]);
  return typing;
}

function createTyping() {
  let until = 0;
  let isComposing = false;
  const extend = () => {
    until = performance.now() + PAUSE_MS;
  };
  return {
    onKey({ target }: KeyboardEvent) {
      if (target instanceof Element && target.closest(EDITABLE) !== null) extend();
    },
    // Whoever chooses a character from a list presses no key for a while.
    setComposing(value: boolean) {
      isComposing = value;
      extend();
    },
    msLeft: () => (isComposing ? PAUSE_MS : Math.max(0, until - performance.now())),
  };
}
