import type { ChatMessage } from '@parley/client';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useDevice } from '../../client/provider.tsx';

/** The server is told after a pause, not for every single message. */
const READ_MS = 400;

interface SeenOptions {
  readonly conversationId: string;
  /** The end is in view. */
  readonly isSeen: boolean;
  /** The last message that was there then. */
  readonly last: ChatMessage | undefined;
  readonly unread: number | undefined;
}

/** Whoever has come to the end has read the conversation, also if they go on before the pause is over (WC-33). */
export function useMarkRead({ conversationId, isSeen, last, unread }: SeenOptions): void {
  const { conversations } = useDevice();
  const isVisible = useSyncExternalStore(subscribe, isPageVisible);
  const isNow = useRef(false);
  isNow.current = isSeen && isVisible;
  const pending = useRef<ChatMessage>(undefined);
  const mark = (upTo?: number) => {
    pending.current = undefined;
    void conversations.markRead(conversationId, upTo).catch(() => {});
  };
  const leave = useRef(() => {});
  leave.current = () => {
    if (pending.current?.seq !== undefined) mark(pending.current.seq);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something new was seen
  useEffect(() => {
    if (!isNow.current) return leave.current();
    // Not what is only there until its height is known.
    requestAnimationFrame(() => {
      if (isNow.current) pending.current = last;
    });
    const timer = setTimeout(() => mark(), READ_MS);
    return () => clearTimeout(timer);
  }, [conversationId, last?.clientMessageId, isSeen, isVisible, unread]);
  useEffect(() => () => leave.current(), []);
}

const isPageVisible = () => document.visibilityState === 'visible';
function subscribe(onChange: () => void): () => void {
  document.addEventListener('visibilitychange', onChange);
  return () => document.removeEventListener('visibilitychange', onChange);
}
