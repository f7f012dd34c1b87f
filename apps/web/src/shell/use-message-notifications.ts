import { useNavigate } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { notify } from '../client/notify.ts';
import { useDevice } from '../client/provider.tsx';

/** Tells in a hidden tab that someone wrote. Only who: everyone can read a lock screen (WC-42). */
export function useMessageNotifications(): void {
  const { t } = useTranslation('shell');
  const { conversations } = useDevice();
  const navigate = useNavigate();
  useEffect(() => {
    const { list } = conversations;
    const read = () => new Map(list.getSnapshot().map((view) => [view.conversationId, view]));
    const shown = new Map<string, () => void>();
    let before = read();
    const stop = list.subscribe(() => {
      const now = read();
      for (const [conversationId, { title, unread, lastSeq, mutedUntil }] of now) {
        const known = before.get(conversationId);
        if (unread === 0) shown.get(conversationId)?.();
        // What was unread before this page opened is no news, and neither is what the server only counts again.
        const isNew = known !== undefined && unread > known.unread && lastSeq > known.lastSeq;
        if (!isNew || mutedUntil !== undefined || document.visibilityState === 'visible') continue;
        shown.set(
          conversationId,
          notify(t('newMessage', { name: title }), {
            tag: conversationId,
            onClick: () => void navigate({ to: '/c/$conversationId', params: { conversationId } }),
          }),
        );
      }
      before = now;
    });
    return () => {
      stop();
      for (const hide of shown.values()) hide();
    };
  }, [conversations, navigate, t]);
}
