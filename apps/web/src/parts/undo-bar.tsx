import { Undo2, X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../client/explain.ts';
import { useReadable } from '../client/provider.tsx';
import { Button, IconButton } from './button.tsx';
import { dropOffer, type UndoOffer, undoOffers } from './undo.ts';
import { useAction } from './use-action.ts';

/** Time to read one line and to get there; it stands still as long as someone is there (WCAG 2.2.1). */
const OFFERED_MS = 5_000;

/** Stands in the frame once, above a question. Whatever was done with `offerUndo` is said here, and can be undone. */
export function UndoBar() {
  const { t } = useTranslation('parts');
  const offers = useReadable(undoOffers);
  return (
    <section
      aria-label={t('undo.region')}
      className="pointer-events-none fixed inset-x-0 bottom-[max(4rem+env(safe-area-inset-bottom),var(--dock,0px)+0.75rem)] z-40 grid justify-items-center gap-2 px-3 md:bottom-[calc(var(--dock,0px)+1.5rem)] md:left-56"
    >
      {/* The region is there before its text is, or a screen reader would not read it. */}
      <div role="status" className="contents">
        {offers.map((offer) => (
          <Offer key={offer.id} offer={offer} isLatest={offer === offers.at(-1)} />
        ))}
      </div>
    </section>
  );
}

interface OfferProps {
  readonly offer: UndoOffer;
  readonly isLatest: boolean;
}

function Offer({ offer: { id, text, undo, undone }, isLatest }: OfferProps) {
  const { t } = useTranslation('parts');
  const box = useRef<HTMLDivElement>(null);
  const [isUndone, setUndone] = useState(false);
  const action = useAction(async () => {
    await undo!();
    setUndone(true);
  });
  const close = () => {
    const hadFocus = box.current?.contains(document.activeElement) === true;
    dropOffer(id);
    if (hadFocus) document.getElementById('content')?.focus();
  };
  const isOpen = undo !== undefined && !isUndone;
  useTimeUp(box, { isRunning: !action.busy, onTimeUp: close });
  useFocusOfWhatWent(box);
  useUndoKey(isOpen && isLatest, action.run);
  return (
    <div
      ref={box}
      className="pointer-events-auto flex max-w-xl min-w-0 items-center gap-3 rounded-xl border bg-ink py-2 pr-2 pl-4 text-sm text-page shadow-float"
    >
      <span className="min-w-0 flex-1 wrap-anywhere">
        {isUndone ? (undone ?? t('undo.undone')) : text}
        {action.error !== undefined && <span role="alert"> {explain(action.error)}</span>}
      </span>
      {isOpen && (
        <Button
          size="small"
          busy={action.busy}
          icon={<Undo2 aria-hidden className="size-4" />}
          onClick={() => action.run()}
          aria-label={t('undo.label', { what: text })}
          aria-keyshortcuts="Control+Z Meta+Z"
        >
          {t('undo.undo')}
        </Button>
      )}
      <IconButton
        label={t('close')}
        onClick={close}
        className="size-8 shrink-0 text-page hover:bg-page/15 hover:text-page"
      >
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}

interface TimeUp {
  readonly isRunning: boolean;
  readonly onTimeUp: () => void;
}

/** Begins anew whenever the pointer or the focus has left, so that nobody has less than the whole time. */
function useTimeUp(box: RefObject<HTMLElement | null>, { isRunning, onTimeUp }: TimeUp): void {
  const latest = useRef(onTimeUp);
  latest.current = onTimeUp;
  useEffect(() => {
    const element = box.current;
    if (!isRunning || element === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      clearTimeout(timer);
      // Focus that a click has left behind is nobody's attention.
      const isLookedAt = element.matches(':hover') || element.querySelector(':focus-visible') !== null;
      timer = isLookedAt ? undefined : setTimeout(() => latest.current(), OFFERED_MS);
    };
    look();
    const events = ['pointerenter', 'pointerleave', 'focusin', 'focusout'];
    // After the event: only then is it known where the focus has gone.
    const lookSoon = () => queueMicrotask(look);
    for (const event of events) element.addEventListener(event, lookSoon);
    return () => {
      clearTimeout(timer);
      for (const event of events) element.removeEventListener(event, lookSoon);
    };
  }, [box, isRunning]);
}

/** Where the row that was acted on is gone, its focus is nowhere: whoever used the keyboard finds it here. */
function useFocusOfWhatWent(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.querySelector('button')?.focus();
  }, [box]);
}

const EDITABLE = 'input, textarea, select, [contenteditable]:not([contenteditable=false])';

function useUndoKey(isOpen: boolean, run: () => void): void {
  useEffect(() => {
    if (!isOpen) return;
    const press = (event: KeyboardEvent) => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z';
      if (!isUndo || event.defaultPrevented || (event.target as Element).closest(EDITABLE)) return;
      event.preventDefault();
      run();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [isOpen, run]);
}
