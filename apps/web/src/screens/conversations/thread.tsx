import type { ChatMessage, TimelineSnapshot } from '@parley/client';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft, Info, PanelRightOpen } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadableByFrame } from '../../client/provider.tsx';
import { IconButton } from '../../parts/button.tsx';
import { About } from './about.tsx';
import { CardPanel } from './card-panel.tsx';
import { OpenInPanel } from './cards/panel-context.ts';
import { usePanel } from './cards/use-panel.ts';
import { ClosedComposer } from './closed-composer.tsx';
import { Composer } from './composer.tsx';
import { NothingSaid } from './first-steps/nothing-said.tsx';
import { ConversationMenu } from './list/conversation-menu.tsx';
import { Earlier, Messages } from './messages.tsx';
import { AgentBar, MembersBar } from './thread-bars.tsx';
import { supports, useAgent } from './use-agent.ts';
import { type Member, nameOf, useDetail, useReloadDetail } from './use-detail.ts';
import { useMarkRead } from './use-mark-read.ts';

export function Thread() {
  const { conversationId } = useParams({ from: '/framed/conversations/c/$conversationId' });
  return <OpenThread key={conversationId} conversationId={conversationId} />;
}

function OpenThread({ conversationId }: { readonly conversationId: string }) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const timeline = useMemo(() => conversations.timeline(conversationId), [conversations, conversationId]);
  const { messages, hasEarlier, streams: writing, typing, loaded } = useReadableByFrame(timeline);
  const view = useReadableByFrame(conversations.list).find((one) => one.conversationId === conversationId);
  const agent = useAgent(conversationId);
  const { data: detail } = useDetail(conversationId, view !== undefined && view.agentId === undefined);
  const isGroup = (detail?.kind ?? view?.kind) === 'group';
  const members = detail?.members ?? NOBODY;
  const names = useMemo(() => new Map(members.map((member) => [member.id, nameOf(member)])), [members]);
  const [isAbout, setAbout] = useState(false);
  const [opened] = useState(() => ({
    at: new Date().toISOString(),
    readSeq: view?.readSeq ?? Number.POSITIVE_INFINITY,
  }));
  const [seen, setSeen] = useState<ChatMessage>();
  const panel = usePanel(conversationId);
  const jump = useRef<(index: number) => void>(() => {});
  const streams = supports(agent, 'supports_streaming') ? writing : NONE;
  const count = messages.length + streams.length;
  const hasCards = agent?.flags.includes('supports_artifacts') === true;
  const isPanel = hasCards && panel.isOpen;
  const typists = typing.map(({ id }) => names.get(id) ?? view?.title ?? '').join(', ');
  useNewMembers(conversationId, isGroup && messages.some(({ own, sender }) => !own && !names.has(sender.id)));

  // Who opens a conversation at its first unread message has not read the last one yet.
  const isSeen = loaded && (count === 0 || seen !== undefined);
  useMarkRead({ conversationId, isSeen, last: seen, unread: view?.unread });

  return (
    <section aria-label={view?.title} className="relative flex h-full">
      <div className="flex min-w-0 flex-1 flex-col" inert={isPanel && panel.covers}>
        <header className="flex items-center gap-2 border-b bg-surface px-3 py-2">
          <Link to="/" aria-label={t('back')} className="grid size-10 place-items-center rounded-lg md:hidden">
            <ArrowLeft aria-hidden className="size-5" />
          </Link>
          <h2 className="min-w-0 flex-1 truncate px-2 font-semibold">
            <bdi>{view && (view.title || t('untitled'))}</bdi>
          </h2>
          {hasCards && (
            <IconButton label={t('cards')} aria-pressed={isPanel} onClick={isPanel ? panel.close : () => panel.open()}>
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
          {view !== undefined && <ConversationMenu view={view} />}
        </header>
        {agent !== undefined && <AgentBar agent={agent} />}
        {detail !== undefined && <MembersBar detail={detail} onOpen={() => setAbout(true)} />}
        {isGroup && <p className="border-b bg-raised px-4 py-1.5 text-sm text-muted">{t('noTools')}</p>}
        {loaded && count > 0 && (
          <OpenInPanel value={hasCards ? panel.open : undefined}>
            <Messages
              conversationId={conversationId}
              messages={messages}
              streams={streams}
              hasEarlier={hasEarlier}
              opened={opened}
              names={isGroup ? names : undefined}
              jump={jump}
              onSeen={setSeen}
            />
          </OpenInPanel>
        )}
        {count === 0 && (
          <>
            {hasEarlier && <Earlier />}
            {loaded ? <NothingSaid view={view} /> : <div className="flex-1" />}
          </>
        )}
        <div className="flex h-5 justify-between gap-3 px-5 text-xs text-muted">
          <p role="status" className="truncate">
            {typists !== '' && t('typing', { name: typists })}
          </p>
          {agent?.status !== 'ended' && (
            <p className="shrink-0 pointer-coarse:hidden max-md:hidden">{t('thread.keys')}</p>
          )}
        </div>
        {agent?.status === 'ended' ? (
          <ClosedComposer conversationId={conversationId} />
        ) : (
          <Composer conversationId={conversationId} hasVoice={agent?.flags.includes('supports_voice') === true} />
        )}
      </div>
      {isPanel && <CardPanel panel={panel} messages={messages} onFind={(index) => jump.current(index)} />}
      {isAbout && view !== undefined && <About view={view} onClose={() => setAbout(false)} />}
    </section>
  );
}

const NONE: TimelineSnapshot['streams'] = [];
const NOBODY: readonly Member[] = [];

/** Reloads the members when a sender's name is not known yet. */
function useNewMembers(conversationId: string, isUnknown: boolean): void {
  const reload = useReloadDetail(conversationId);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each unknown sender
  useEffect(() => {
    if (isUnknown) void reload();
  }, [conversationId, isUnknown]);
}
