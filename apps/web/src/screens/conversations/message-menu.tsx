import { type ChatMessage, canErase } from '@parley/client';
import { isToolCall, searchTextOf } from '@parley/protocol';
import { Copy, Ellipsis, Trash2 } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice } from '../../client/provider.tsx';
import { classNames } from '../../parts/class-names.ts';
import { ConfirmAction } from '../../parts/confirm-action.tsx';

const SHOWN_MS = 2_000;
const ITEM =
  'flex min-h-10 cursor-pointer items-center gap-2 rounded-md px-3 text-sm text-ink outline-none select-none data-[highlighted]:bg-raised pointer-coarse:min-h-11';

/** What can be done with a message (WC-37). The button is there for a pointer, for keys, and always on a touch screen. */
export function MessageMenu({ message }: { readonly message: ChatMessage }) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const [isDeleting, setDeleting] = useState(false);
  const wantsToDelete = useRef(false);
  const [isCopied, setCopied] = useState(false);
  const text = textToCopy(message);
  const mayErase = canErase(message);
  if (text === '' && !mayErase) return null;
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  const erase = async () => {
    // The button that had the focus goes with its message.
    const log = document.querySelector<HTMLElement>('[role=log]');
    await conversations.eraseMessage(message);
    requestAnimationFrame(() => log?.focus({ preventScroll: true }));
  };
  /** Not before the menu has given back the focus: a dialog that sees it go elsewhere closes again. */
  const afterMenu = () => {
    if (wantsToDelete.current) setDeleting(true);
    wantsToDelete.current = false;
  };
  const askToDelete = () => {
    wantsToDelete.current = true;
  };
  return (
    <>
      {/* The library's modal menus write a style element, which the page's policy forbids. */}
      <DropdownMenu.Root modal={false}>
        <DropdownMenu.Trigger
          aria-label={t('thread.menu.label')}
          title={t('thread.menu.label')}
          className={classNames(
            '-my-1 grid size-6 place-items-center rounded opacity-0 transition group-focus-within/message:opacity-100 group-hover/message:opacity-100 hover:bg-raised hover:text-ink focus-visible:opacity-100 data-[state=open]:opacity-100 pointer-coarse:-my-2.5 pointer-coarse:size-11 pointer-coarse:opacity-100',
            // The time stays below the edge of the bubble.
            message.own && 'order-first',
          )}
        >
          <Ellipsis aria-hidden className="size-4" />
        </DropdownMenu.Trigger>
        <DropdownMenu.Portal>
          <DropdownMenu.Content
            align={message.own ? 'end' : 'start'}
            collisionPadding={8}
            onCloseAutoFocus={afterMenu}
            className="z-30 min-w-44 rounded-lg border bg-surface p-1 shadow-float"
          >
            {text !== '' && (
              <DropdownMenu.Item onSelect={() => void copy().catch(() => {})} className={ITEM}>
                <Copy aria-hidden className="size-4 text-muted" /> {t('thread.menu.copy')}
              </DropdownMenu.Item>
            )}
            {mayErase && (
              <DropdownMenu.Item onSelect={askToDelete} className={ITEM}>
                <Trash2 aria-hidden className="size-4 text-muted" /> {t('thread.menu.delete')}
              </DropdownMenu.Item>
            )}
          </DropdownMenu.Content>
        </DropdownMenu.Portal>
      </DropdownMenu.Root>
      <span role="status">{isCopied && t('thread.menu.copied')}</span>
      {isDeleting && (
        <ConfirmAction
          title={t('thread.menu.deleteTitle')}
          lead={t('thread.menu.deleteLead')}
          confirm={t('thread.menu.deleteConfirm')}
          danger
          onClose={() => setDeleting(false)}
          work={erase}
        />
      )}
    </>
  );
}

/** Exactly what was sent; of a card and a file, what is written on it. */
function textToCopy({ payload }: ChatMessage): string {
  if (payload.type === 'text') return payload.text;
  return isToolCall(payload) ? '' : searchTextOf(payload);
}
