import type { TimelineSnapshot } from '@parley/client';
import { Link, useParams } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowLeft, Info } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { IconButton } from '../../parts/button.tsx';
import { Composer } from './composer.tsx';
import { LiveMessage, Message } from './message.tsx';

export function Thread() {
  const { conversationId } = useParams({ from: '/framed/conversations/c/$conversationId' });
  return <OpenThread key={conversationId} conversationId={conversationId} />;
}

function OpenThread({ conversationId }: { readonly conversationId: string }) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const timeline = useMemo(() => conversations.timeline(conversationId), [conversations, conversationId]);
  const { messages, streams, typing, loaded } = useReadable(timeline);
  const view = useReadable(conversations.list).find((one) => one.conversationId === conversationId);
  const count = messages.length + streams.length;
  const last = messages.at(-1)?.clientMessageId;

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something new was seen
  useEffect(() => {
    if (document.visibilityState === 'visible') void conversations.markRead(conversationId).catch(() => {});
  }, [conversationId, last]);

  return (
    <section aria-label={view?.title} className="flex h-[calc(100dvh-3.5rem)] flex-col md:h-dvh">
      <header className="flex items-center gap-2 border-b bg-surface px-3 py-2">
        <Link to="/" aria-label={t('back')} className="grid size-10 place-items-center rounded-lg md:hidden">
          <ArrowLeft aria-hidden className="size-5" />
        </Link>
        <h2 className="min-w-0 flex-1 truncate px-2 font-semibold">
          <bdi>{view?.title ?? ''}</bdi>
        </h2>
        {view?.agentId !== undefined && (
          <Link
            to="/agents/$agentId"
            params={{ agentId: view.agentId }}
            aria-label={t('details')}
            title={t('details')}
            className="grid size-10 place-items-center rounded-lg text-muted hover:bg-raised"
          >
            <Info aria-hidden className="size-5" />
          </Link>
        )}
      </header>
      {view?.kind === 'group' && <p className="border-b bg-raised px-4 py-1.5 text-sm text-muted">{t('noTools')}</p>}
      {loaded && count === 0 ? (
        <p className="grid flex-1 place-items-center text-muted">{t('noMessages')}</p>
      ) : (
        <Messages messages={messages} streams={streams} />
      )}
      <p role="status" className="h-5 px-5 text-xs text-muted">
        {typing.length > 0 && `${view?.title ?? ''} ${t('typing')}`}
      </p>
      <Composer conversationId={conversationId} />
    </section>
  );
}

const NEAR_END = 120;

function Messages({ messages, streams }: Pick<TimelineSnapshot, 'messages' | 'streams'>) {
  const { t } = useTranslation('conversations');
  const box = useRef<HTMLDivElement>(null);
  const [atEnd, setAtEnd] = useState(true);
  const count = messages.length + streams.length;
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => 72,
    overscan: 8,
    getItemKey: (index) => messages[index]?.clientMessageId ?? streams[index - messages.length]!.streamId,
  });
  const toEnd = () => rows.scrollToIndex(count - 1, { align: 'end' });
  const lastText = streams.at(-1)?.text;
  // biome-ignore lint/correctness/useExhaustiveDependencies: follows the conversation while one is at its end
  useEffect(() => {
    if (atEnd && count > 0) toEnd();
  }, [count, lastText]);
  return (
    <div
      ref={box}
      role="log"
      aria-live="polite"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) =>
        setAtEnd(scrollHeight - scrollTop - clientHeight < NEAR_END)
      }
      className="relative min-h-0 flex-1 overflow-y-auto"
    >
      <div className="relative w-full" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ key, index, start }) => {
          const message = messages[index];
          return (
            <div
              key={key}
              data-index={index}
              ref={rows.measureElement}
              className="absolute inset-x-0 px-4 py-1.5"
              style={{ transform: `translateY(${start}px)` }}
            >
              {message === undefined ? (
                <LiveMessage stream={streams[index - messages.length]!} />
              ) : (
                <Message message={message} />
              )}
            </div>
          );
        })}
      </div>
      {!atEnd && (
        <div className="sticky bottom-3 flex justify-center">
          <IconButton label={t('latest')} onClick={toEnd} className="border bg-surface shadow-card">
            <ArrowDown aria-hidden className="size-5" />
          </IconButton>
        </div>
      )}
    </div>
  );
}
