import { countUnread } from '@parley/client';
import { useEffect } from 'react';
import { useDevice, useReadableByFrame } from '../client/provider.tsx';

const NAME = 'Parley';

/** Shows how much is unread in the title of the page, and on the icon of the installed app (WC-40). */
export function useUnreadTitle(): void {
  const count = countUnread(useReadableByFrame(useDevice().conversations.list));
  useEffect(() => {
    document.title = count === 0 ? NAME : `(${count}) ${NAME}`;
    // Not every browser has it, and it refuses where the app is not installed.
    void navigator.setAppBadge?.(count).catch(() => {});
  }, [count]);
  useEffect(
    () => () => {
      document.title = NAME;
      void navigator.clearAppBadge?.().catch(() => {});
    },
    [],
  );
}
