import { DismissableLayer, FocusScope } from 'radix-ui/internal';
import { type ReactNode, type RefObject, useEffect, useLayoutEffect } from 'react';
import { createPortal } from 'react-dom';
import { classNames } from '../../../parts/class-names.ts';
import type { Typing } from './typing.ts';

interface SheetProps {
  readonly sheet: RefObject<HTMLDivElement | null>;
  /** Each new one gets the focus, once nobody is typing. */
  readonly id: string;
  readonly typing: Typing;
  /** It has no focus yet: something else has to say that it is there. */
  readonly onFocusWaits: (waits: boolean) => void;
  readonly labelledBy: string;
  readonly describedBy: string;
  readonly className: string;
  readonly onEscape: (event: KeyboardEvent) => void;
  readonly children: ReactNode;
}

/**
 * A dialog that is docked at the bottom of the window (WC-16): the page above it becomes shorter and can still be read,
 * scrolled and used.
 */
export function Sheet(props: SheetProps) {
  const { sheet, labelledBy, describedBy, className, onEscape, children } = props;
  useDock(sheet);
  useFocus(props);
  return createPortal(
    // A layer of the library that the other dialogs are of: one that is open already lets the focus out of itself, and
    // neither closes nor takes the keys when something is pressed here.
    <FocusScope.FocusScope
      asChild
      onMountAutoFocus={(event) => event.preventDefault()}
      onUnmountAutoFocus={(event) => event.preventDefault()}
    >
      <DismissableLayer.DismissableLayer
        asChild
        onEscapeKeyDown={(event) => {
          event.preventDefault();
          if (sheet.current?.contains(document.activeElement)) onEscape(event);
        }}
        onInteractOutside={(event) => event.preventDefault()}
      >
        <DismissableLayer.DismissableLayerBranch asChild>
          <div
            ref={sheet}
            role="dialog"
            aria-labelledby={labelledBy}
            aria-describedby={describedBy}
            tabIndex={-1}
            className={classNames(
              // Under the shade of the dialog that takes its clicks.
              'fixed inset-x-0 bottom-0 z-50 flex aria-hidden:z-30 max-h-[56dvh] max-sm:max-h-[59dvh] has-[fieldset]:max-h-[84dvh] flex-col overflow-y-auto border-t-4 bg-surface outline-none md:left-56',
              className,
            )}
          >
            {children}
          </div>
        </DismissableLayer.DismissableLayerBranch>
      </DismissableLayer.DismissableLayer>
    </FocusScope.FocusScope>,
    document.body,
  );
}

/** The dialog itself is focused, so that a key pressed by accident is not an answer; after the last, what was before. */
function useFocus({ sheet, id, typing, onFocusWaits }: SheetProps): void {
  useLayoutEffect(() => {
    const before = document.activeElement;
    return () => {
      // Where a browser has no use for the focus, it gives it to the body; anything else is where someone went on.
      const isLost = document.activeElement === document.body || sheet.current?.contains(document.activeElement);
      const next = before?.isConnected ? before : document.getElementById('content');
      if (isLost && next instanceof HTMLElement) next.focus({ preventScroll: true });
    };
  }, [sheet]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each question anew
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const takeFocus = () => {
      const wait = typing.msLeft();
      onFocusWaits(wait > 0);
      if (wait > 0) timer = setTimeout(takeFocus, wait);
      // Meanwhile someone may have gone to an answer.
      else if (timer === undefined || !sheet.current?.contains(document.activeElement))
        sheet.current?.focus({ preventScroll: true });
    };
    takeFocus();
    return () => clearTimeout(timer);
  }, [id]);
}

const NEAR_END = 120;

/** Tells the page how much room is taken, and keeps a conversation at its end that was there. */
function useDock(sheet: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const { style } = document.documentElement;
    const dock = (height: number) => {
      const logs = [...document.querySelectorAll('[role=log]')].filter(
        ({ scrollHeight, scrollTop, clientHeight }) => scrollHeight - scrollTop - clientHeight < NEAR_END,
      );
      style.setProperty('--dock', `${height}px`);
      for (const log of logs) log.scrollTop = log.scrollHeight;
    };
    const measure = () => dock(sheet.current?.offsetHeight ?? 0);
    const observer = new ResizeObserver(measure);
    measure();
    if (sheet.current !== null) observer.observe(sheet.current);
    return () => {
      observer.disconnect();
      dock(0);
    };
  }, [sheet]);
}
