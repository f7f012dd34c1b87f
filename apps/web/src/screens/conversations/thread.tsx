import type { TimelineSnapshot } from '@parley/client';
import { Link, useParams } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowLeft, Info, PanelRightOpen } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadableByFrame } from '../../client/provider.tsx';
import { IconButton } from '../../parts/button.tsx';
import { About } from './about.tsx';
import { CardPanel } from './card-panel.tsx';
import { Composer } from './composer.tsx';
import { LiveMessage, Message } from './message.tsx';
import { AgentBar, MembersBar } from './thread-bars.tsx';
import { supports, useAgent } from './use-agent.ts';
import { type Member, nameOf, useDetail, useReloadDetail } from './use-detail.ts';

export function Thread() {
  const { conversationId } = useParams({ from: '/framed/conversations/c/$conversationId' });
  return <OpenThread key={conversationId} conversationId={conversationId} />;
}

function OpenThread({ conversationId }: { readonly conversationId: string }) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const timeline = useMemo(() => conversations.timeline(conversationId), [conversations, conversationId]);
  const { messages, streams: writing, typing, loaded } = useReadableByFrame(timeline);
  const view = useReadableByFrame(conversations.list).find((one) => one.conversationId === conversationId);
  const agent = useAgent(conversationId);
  const { data: detail } = useDetail(conversationId, view !== undefined && view.agentId === undefined);
  const isGroup = (detail?.kind ?? view?.kind) === 'group';
  const members = detail?.members ?? NOBODY;
  const names = useMemo(() => new Map(members.map((member) => [member.id, nameOf(member)])), [members]);
  const [isAbout, setAbout] = useState(false);
  const [isPanel, setPanel] = useState(false);
  const jump = useRef<(index: number) => void>(() => {});
  const streams = supports(agent, 'supports_streaming') ? writing : NONE;
  const count = messages.length + streams.length;
  const last = messages.at(-1)?.clientMessageId;
  const hasCards = agent?.flags.includes('supports_artifacts') === true;
  const typists = typing.map(({ id }) => names.get(id) ?? view?.title ?? '').join(', ');
  useNewMembers(conversationId, isGroup && messages.some(({ own, sender }) => !own && !names.has(sender.id)));

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever something new was seen
  useEffect(() => {
    const timer = setTimeout(() => {
      if (document.visibilityState === 'visible') void conversations.markRead(conversationId).catch(() => {});
    }, READ_MS);
    return () => clearTimeout(timer);
  }, [conversationId, last]);

  return (
    <section aria-label={view?.title} className="relative flex h-full">
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex items-center gap-2 border-b bg-surface px-3 py-2">
          <Link to="/" aria-label={t('back')} className="grid size-10 place-items-center rounded-lg md:hidden">
            <ArrowLeft aria-hidden className="size-5" />
          </Link>
          <h2 className="min-w-0 flex-1 truncate px-2 font-semibold">
            <bdi>{view && (view.title || t('untitled'))}</bdi>
          </h2>
          {hasCards && (
            <IconButton label={t('cards')} aria-pressed={isPanel} onClick={() => setPanel(!isPanel)}>
              <PanelRightOpen aria-hidden className="size-5" />
            </IconButton>
          )}
          {view !== undefined && view.agentId === undefined && (
            <IconButton label={t('details')} onClick={() => setAbout(true)}>
              <Info aria-hidden className="size-5" />
            </IconButton>
          )}
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
        {agent !== undefined && <AgentBar agent={agent} />}
        {detail !== undefined && <MembersBar detail={detail} onOpen={() => setAbout(true)} />}
        {isGroup && <p className="border-b bg-raised px-4 py-1.5 text-sm text-muted">{t('noTools')}</p>}
        {loaded && count === 0 ? (
          <p className="grid flex-1 place-items-center text-muted">{t('noMessages')}</p>
        ) : (
          <Messages messages={messages} streams={streams} names={isGroup ? names : undefined} jump={jump} />
        )}
        <p role="status" className="h-5 px-5 text-xs text-muted">
          {typists !== '' && t('typing', { name: typists })}
        </p>
        <Composer conversationId={conversationId} hasVoice={agent?.flags.includes('supports_voice') === true} />
      </div>
      {isPanel && (
        <CardPanel messages={messages} onChoose={(index) => jump.current(index)} onClose={() => setPanel(false)} />
      )}
      {isAbout && view !== undefined && <About view={view} onClose={() => setAbout(false)} />}
    </section>
  );
}

const NONE: TimelineSnapshot['streams'] = [];
const NOBODY: readonly Member[] = [];
const NEAR_END = 120;
/** The server is told after a pause, not for every single message. */
const READ_MS = 400;

/** Reloads the members when a sender's name is not known yet. */
function useNewMembers(conversationId: string, isUnknown: boolean): void {
  const reload = useReloadDetail(conversationId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each unknown sender
  useEffect(() => {
    if (isUnknown) void reload();
  }, [conversationId, isUnknown]);
}

interface MessagesProps extends Pick<TimelineSnapshot, 'messages' | 'streams'> {
  /** The names of the members of a group. */
  readonly names: ReadonlyMap<string, string> | undefined;
  readonly jump: RefObject<(index: number) => void>;
}

function Messages({ messages, streams, names, jump }: MessagesProps) {
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
  jump.current = (index) => rows.scrollToIndex(index, { align: 'center' });
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
                <Message message={message} sender={names?.get(message.sender.id)} />
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
