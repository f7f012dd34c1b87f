import { useCallback, useSyncExternalStore } from 'react';
import { useDevice } from './provider.tsx';

/**
 * What was typed under this key and neither sent nor thrown away (WC-1). An empty text ends the draft. Whoever else shows
 * it, or writes it for the person, is heard. The last function ends the draft that was sent, unless it was changed since.
 */
export function useDraft(
  key: string,
): readonly [text: string, change: (text: string) => void, settle: (sent: string) => void] {
  const { drafts } = useDevice();
  const text = useSyncExternalStore(drafts.subscribe, () => drafts.get(key) ?? '');
  const change = useCallback((next: string) => drafts.set(key, next), [drafts, key]);
  const settle = useCallback((sent: string) => drafts.get(key) === sent && drafts.set(key, ''), [drafts, key]);
  return [text, change, settle];
}
