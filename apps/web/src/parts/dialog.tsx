import { X } from 'lucide-react';
import { Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { ScrollArea } from './scroll-area.tsx';

interface DialogProps {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: ReactNode;
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  /** A decision needs a button; a click outside must not count as one. */
  readonly stay?: boolean;
}

/** The element that had the focus before the last dialog; between two dialogs in a row no element has it. */
let before: HTMLElement | undefined;

/** Returns the focus to the element that had it. The library does so only for dialogs that a button opens. */
function useFocusBefore() {
  const kept = useRef<HTMLElement>(undefined);
  return {
    keep() {
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement && activeElement !== document.body) before = activeElement;
      kept.current = before;
    },
    giveBack(event: Event) {
      event.preventDefault();
      if (kept.current?.isConnected && document.querySelector('[role=dialog]:not([data-state=closed])') === null)
        kept.current.focus();
      else if (kept.current?.closest('[role=dialog]')) kept.current.focus();
    },
  };
}

/** On a phone the dialog is at the bottom, near the thumb. */
export function Dialog({ open, onClose, title, lead, children, actions, stay = false }: DialogProps) {
  const { t } = useTranslation('parts');
  const focus = useFocusBefore();
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        {/* The library's own overlay writes a style element, which the page's policy forbids. */}
        <div className="fixed inset-0 z-40 bg-ink/40 dark:bg-page/75" />
        <Radix.Content
          {...(lead === undefined ? { 'aria-describedby': undefined } : {})}
          // The dialog itself gets the focus, so that a key pressed by accident is not an answer.
          onOpenAutoFocus={(event) => {
            focus.keep();
            if (!stay) return;
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={focus.giveBack}
          onPointerDownOutside={(event) => stay && event.preventDefault()}
          className="fixed inset-x-0 bottom-0 z-50 flex max-h-[92dvh] flex-col rounded-t-2xl border bg-surface shadow-float outline-none sm:inset-auto sm:top-1/2 sm:left-1/2 sm:w-[min(36rem,92vw)] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl"
        >
          <header
            className={classNames(
              'flex items-start justify-between gap-3 px-5 pt-5',
              lead === undefined ? 'pb-3' : 'pb-1',
            )}
          >
            <Radix.Title className="min-w-0 text-lg font-semibold break-words">{title}</Radix.Title>
            {!stay && (
              <Radix.Close asChild>
                <IconButton label={t('close')} className="-mt-1.5 -mr-2">
                  <X aria-hidden className="size-5" />
                </IconButton>
              </Radix.Close>
            )}
          </header>
          {/* Only the content scrolls, so that title and buttons stay visible. */}
          <ScrollArea
            as="div"
            className="grid min-h-0 grid-cols-1 content-start gap-4 overflow-y-auto px-5 pb-5 -outline-offset-2"
          >
            {lead !== undefined && (
              <Radix.Description className="text-sm break-words text-muted">{lead}</Radix.Description>
            )}
            {children}
          </ScrollArea>
          {actions && (
            <footer className="flex flex-wrap justify-end gap-2 border-t px-5 py-4 max-sm:*:flex-auto">
              {actions}
            </footer>
          )}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
