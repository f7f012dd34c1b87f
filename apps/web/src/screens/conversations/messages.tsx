import type { ChatMessage, TimelineSnapshot } from '@parley/client';
import { useLocation } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dayOf, longDay, nameDay } from '../../i18n/day.ts';
import { Button, IconButton } from '../../parts/button.tsx';
import { classNames } from '../../parts/class-names.ts';
import { LiveMessage, Message } from './message.tsx';
import { keyOf, readHash } from './message-key.ts';
import { END, lastPlace, type Place, usePlace, useWrittenTop } from './use-place.ts';

interface MessagesProps extends Pick<TimelineSnapshot, 'messages' | 'streams' | 'hasEarlier'> {
  readonly conversationId: string;
  /** When the person opened the conversation, and up to where they had read. */
  readonly opened: { readonly at: string; readonly readSeq: number };
  /** The names of the members of a group. */
  readonly names: ReadonlyMap<string, string> | undefined;
  readonly jump: RefObject<(index: number) => void>;
  /** While the end is in view: with the last message that the server knows. */
  readonly onSeen: (last: ChatMessage | undefined) => void;
}

/** The messages of a conversation, of which only those on the screen are drawn. */
export function Messages(props: MessagesProps) {
  const { conversationId, messages, streams, hasEarlier, opened, names, jump, onSeen } = props;
  const { t } = useTranslation('conversations');
  const box = useRef<HTMLDivElement>(null);
  const unread = useFirstUnread(props);
  const wanted = useWanted();
  const { top, scrollToFn } = useWrittenTop();
  const rows = useVirtualizer<HTMLDivElement, Element>({
    count: messages.length + streams.length,
    getScrollElement: () => box.current,
    estimateSize: () => 72,
    overscan: 8,
    anchorTo: 'end',
    scrollToFn,
    getItemKey: (index) => {
      const message = messages[index];
      return message === undefined ? streams[index - messages.length]!.streamId : keyOf(message);
    },
  });
  const indexOf = (key: string) => {
    const index = messages.findIndex((message) => keyOf(message) === key);
    const stream = index === -1 ? streams.findIndex(({ streamId }) => streamId === key) : -1;
    return stream === -1 ? index : messages.length + stream;
  };
  const place = usePlace({
    conversationId,
    box,
    rows,
    top,
    indexOf,
    first: () => {
      if (wanted.key !== undefined && indexOf(wanted.key) !== -1) return at(wanted.key, 'center');
      if (unread !== undefined) return at(unread, 'start');
      const last = lastPlace(conversationId) ?? END;
      return last.kind === 'end' || indexOf(last.key) !== -1 ? last : END;
    },
  });
  const { atEnd, held, hold, onScroll, isEndShown } = place;
  useStreamEnd(props, place);
  jump.current = (index) => hold(at(keyOf(messages[index]!), 'center'));

  const found = useFound({ box, wanted, exists: (key) => indexOf(key) !== -1, show: (key) => hold(at(key, 'center')) });
  const last = messages.at(-1);
  const lastKey = last && keyOf(last);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each new message
  useEffect(() => {
    if (last?.own && last.state === 'sending') hold(END);
  }, [lastKey]);
  // What was written before the conversation was opened may come after it: from the disk, and then from the server.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is known
  useEffect(() => {
    if (unread !== undefined && wanted.key === undefined && held.current !== undefined) hold(at(unread, 'start'));
  }, [unread]);
  // Opened at new messages, all of which fit: from then on it goes on like every conversation at its end.
  const isLive = streams.length > 0 || (last !== undefined && last.createdAt >= opened.at);
  useEffect(() => {
    if (isLive && atEnd && held.current?.kind === 'row' && held.current.key === unread) held.current = END;
  }, [isLive, atEnd, held, unread]);
  useLayoutEffect(() => onSeen(isEndShown() ? messages.findLast(({ seq }) => seq !== undefined) : undefined));

  const below = useBelow({
    messages,
    last: rows.range?.endIndex,
    from: unread === undefined ? -1 : indexOf(unread),
    isFollowed: atEnd && held.current?.kind === 'end',
  });
  const news = useNews(lastKey, below);
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={box}
        role="log"
        // Rows that come as one scrolls are none that someone has just written.
        aria-live={atEnd ? 'polite' : 'off'}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by keyboard
        tabIndex={0}
        onScroll={onScroll}
        className="relative h-full overflow-y-auto [overflow-anchor:none]"
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
                {index === 0 && hasEarlier && <Earlier />}
                {message !== undefined && <DayLine message={message} before={messages[index - 1]} />}
                {key === unread && <Line text={t('thread.new')} className="text-accent" />}
                {message === undefined ? (
                  <LiveMessage stream={streams[index - messages.length]!} />
                ) : (
                  <Message message={message} sender={names?.get(message.sender.id)} isFound={key === found} />
                )}
              </div>
            );
          })}
        </div>
      </div>
      <p role="status" className="sr-only">
        {news > 0 && t('thread.below', { count: news })}
      </p>
      {!atEnd && (
        <div className="pointer-events-none absolute inset-x-4 bottom-3 flex justify-end *:pointer-events-auto">
          {below > 0 ? (
            <Button
              size="small"
              icon={<ArrowDown aria-hidden className="size-4" />}
              onClick={() => hold(END)}
              className="rounded-full shadow-card"
            >
              {t('thread.below', { count: below })}
            </Button>
          ) : (
            <IconButton label={t('latest')} onClick={() => hold(END)} className="border bg-surface shadow-card">
              <ArrowDown aria-hidden className="size-5" />
            </IconButton>
          )}
        </div>
      )}
    </div>
  );
}

/**
 * A text that was streamed becomes a message: another row, which is taken for a low one until it is measured. Whoever
 * reads in its middle, or above it, is kept there.
 */
function useStreamEnd(
  { messages, streams, conversationId }: MessagesProps,
  { held, hold }: ReturnType<typeof usePlace>,
) {
  const before = useRef(streams);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when one ends
  useLayoutEffect(() => {
    const ended = before.current.filter(({ streamId }) => !streams.some((one) => one.streamId === streamId));
    before.current = streams;
    const spot = lastPlace(conversationId);
    if (ended.length === 0 || held.current !== undefined || spot?.kind !== 'row') return;
    const stream = ended.find(({ streamId }) => streamId === spot.key);
    const message = stream && messages.findLast(({ sender }) => sender.id === stream.sender.id);
    hold(message === undefined ? spot : { ...spot, key: keyOf(message) });
  }, [streams]);
}

const at = (key: string, align: 'start' | 'center'): Place => ({ kind: 'row', key, align, delta: 0 });

/** The message that the address names (WC-35). Who follows the same link once more wants to go there once more. */
function useWanted() {
  const hash = useLocation({ select: (location) => location.hash });
  const visit = useLocation({ select: (location) => location.state.__TSR_key });
  return { key: readHash(hash), visit };
}

interface FoundOptions {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly wanted: ReturnType<typeof useWanted>;
  readonly exists: (key: string) => boolean;
  readonly show: (key: string) => void;
}

/** Goes to the message that the address names, each time a link to it is followed. It stands out until the person goes on. */
function useFound({ box, wanted: { key, visit }, exists, show }: FoundOptions): string | undefined {
  const [found, setFound] = useState<string>();
  const isThere = key !== undefined && exists(key);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each visit
  useEffect(() => {
    setFound(isThere ? key : undefined);
    if (isThere) show(key);
  }, [key, visit, isThere]);
  useEffect(() => {
    const element = box.current;
    if (found === undefined || element === null) return;
    const stop = () => setFound(undefined);
    for (const type of GOING_ON) element.addEventListener(type, stop, { passive: true });
    return () => {
      for (const type of GOING_ON) element.removeEventListener(type, stop);
    };
  }, [found, box]);
  return found;
}

const GOING_ON = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** The first message of others that was there, unread, when the conversation was opened. */
function useFirstUnread({ messages, opened }: MessagesProps): string | undefined {
  return useMemo(() => {
    const isUnread = ({ own, seq = 0, createdAt }: ChatMessage) =>
      !own && seq > opened.readSeq && createdAt < opened.at;
    const first = messages.find(isUnread);
    return first && keyOf(first);
  }, [messages, opened]);
}

interface BelowOptions {
  readonly messages: readonly ChatMessage[];
  /** The last one on the screen. */
  readonly last: number | undefined;
  /** The first unread one, or -1. */
  readonly from: number;
  /** Whatever comes is seen. */
  readonly isFollowed: boolean;
}

/** How many messages of others there are below, which were not on the screen yet. */
function useBelow({ messages, last = -1, from, isFollowed }: BelowOptions): number {
  const [seen, setSeen] = useState(() => (from === -1 ? messages.length : from));
  const now = isFollowed ? messages.length : Math.min(messages.length, Math.max(seen, last + 1));
  useEffect(() => setSeen(now), [now]);
  return messages.slice(now).filter(({ own }) => !own).length;
}

/** Of how many below a screen reader hears: each time that one comes, and not while one scrolls down to them. */
function useNews(lastKey: string | undefined, below: number): number {
  const [news, setNews] = useState(0);
  const before = useRef(lastKey);
  useEffect(() => {
    if (before.current !== lastKey || below === 0) setNews(below);
    before.current = lastKey;
  }, [lastKey, below]);
  return news;
}

function DayLine({ message, before }: { readonly message: ChatMessage; readonly before: ChatMessage | undefined }) {
  const { t } = useTranslation('conversations');
  const { createdAt } = message;
  const day = dayOf(createdAt);
  if (day === undefined || (before !== undefined && dayOf(before.createdAt) === day)) return null;
  const name = nameDay(createdAt);
  return <Line text={name === 'other' ? longDay(createdAt) : t(`thread.${name}`)} className="text-muted" />;
}

/** For a conversation without a message, too. */
export function Earlier() {
  const { t } = useTranslation('conversations');
  return <p className="px-4 pb-3 text-center text-sm text-muted">{t('thread.earlier')}</p>;
}

function Line({ text, className }: { readonly text: string; readonly className: string }) {
  return (
    <p className={classNames('flex items-center gap-3 pt-2 pb-3 text-xs font-medium', className)}>
      <span aria-hidden className="h-px flex-1 bg-line" />
      {text}
      <span aria-hidden className="h-px flex-1 bg-line" />
    </p>
  );
}
