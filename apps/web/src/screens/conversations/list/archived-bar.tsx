import { createObservable } from '@parley/base';
import type { ConversationView } from '@parley/client';
import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../../client/explain.ts';
import { useDevice, useReadable } from '../../../client/provider.tsx';
import { Button, IconButton } from '../../../parts/button.tsx';
import { useAction } from '../../../parts/use-action.ts';

const latest = createObservable<ConversationView | undefined>(undefined);

/** Says that a conversation was archived, until it is dismissed or another one is opened. */
export const showArchived = (view: ConversationView): void => latest.set(view);
export const hideArchived = (): void => latest.set(undefined);

export function ArchivedBar() {
  const { t } = useTranslation(['conversations', 'parts']);
  const { conversations } = useDevice();
  const view = useReadable(latest);
  const isThere = useReadable(conversations.list).some(
    ({ conversationId, archived }) => archived && conversationId === view?.conversationId,
  );
  const undo = useAction(async () => {
    if (view !== undefined) await conversations.unarchive(view.conversationId);
    hideArchived();
  });
  const button = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The row with the button that had the focus is gone.
    if (view !== undefined && document.activeElement === document.body)
      button.current?.querySelector('button')?.focus();
  }, [view]);
  if (view === undefined || !isThere) return null;
  const title = view.title || t('untitled');
  return (
    <div ref={button} className="flex items-center gap-2 border-t bg-info-soft px-4 py-2 text-sm text-info">
      <p role="status" className="min-w-0 flex-1 break-words">
        {t(view.mutedUntil === undefined ? 'manage.archivedDone' : 'manage.archivedMuted', { title })}
        {undo.error !== undefined && ` ${explain(undo.error)}`}
      </p>
      <Button size="small" busy={undo.busy} onClick={() => undo.run()}>
        {t('parts:undo.undo')}
      </Button>
      <IconButton label={t('parts:close')} onClick={hideArchived}>
        <X aria-hidden className="size-4" />
      </IconButton>
    </div>
  );
}
