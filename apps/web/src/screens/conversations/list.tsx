import { type ChatMessage, type ConversationView, countWaiting } from '@parley/client';
import { displayText } from '@parley/documents';
import { titleOf } from '@parley/protocol';
import { Link } from '@tanstack/react-router';
import { Bot, Contact, User, Users } from 'lucide-react';
import { useDeferredValue, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable, useReadableByFrame } from '../../client/provider.tsx';
import { shortTime } from '../../i18n/time.ts';
import { Empty } from '../../parts/card.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { ProblemList } from './problems.tsx';
import { StartConversation } from './start-conversation.tsx';

export function ConversationList() {
  const { t } = useTranslation('conversations');
  const device = useDevice();
  const conversations = useReadableByFrame(device.conversations.list);
  const [query, setQuery] = useState('');
  return (
    <div className="flex h-full flex-col">
      <header className="grid gap-3 border-b px-4 py-4">
        <div className="flex items-center justify-between">
          <h1 className="text-lg font-semibold">{t('title')}</h1>
          <StartConversation />
        </div>
        <WaitingContacts />
        <SearchBox label={t('search')} value={query} onChange={setQuery} />
      </header>
      <div className="grid min-h-0 flex-1 content-start gap-2 overflow-y-auto p-2">
        <ProblemList />
        {query.trim() === '' ? <Rows conversations={conversations} /> : <Results query={query} />}
      </div>
    </div>
  );
}

/** On a phone the navigation does not show what waits. */
function WaitingContacts() {
  const { t } = useTranslation('contacts');
  const count = countWaiting(useReadable(useDevice().contacts));
  if (count === 0) return null;
  return (
    <Link
      to="/contacts"
      className="flex min-h-10 items-center gap-2 rounded-lg bg-accent-soft px-3 text-sm font-medium text-accent"
    >
      <Contact aria-hidden className="size-4" />
      {t('waiting', { count })}
    </Link>
  );
}

function Rows({ conversations }: { readonly conversations: readonly ConversationView[] }) {
  const { t } = useTranslation('conversations');
  if (conversations.length === 0)
    return (
      <Empty title={t('empty')}>
        <p>{t('emptyLead')}</p>
        <Link to="/agents" className="text-accent underline">
          {t('addAgent')}
        </Link>
      </Empty>
    );
  return (
    <ul className="grid gap-0.5">
      {conversations.map((conversation) => (
        <li key={conversation.conversationId}>
          <Row conversation={conversation} />
        </li>
      ))}
    </ul>
  );
}

const ICONS = { h2a: Bot, h2h: User, group: Users } as const;

function Row({ conversation }: { readonly conversation: ConversationView }) {
  const { t } = useTranslation('conversations');
  const { conversationId, kind, title, unread, lastMessageAt } = conversation;
  const Icon = ICONS[kind];
  return (
    <Link
      to="/c/$conversationId"
      params={{ conversationId }}
      className="flex min-h-14 items-center gap-3 rounded-lg px-3 py-2 hover:bg-raised data-[status=active]:bg-accent-soft"
    >
      <span className="grid size-9 shrink-0 place-items-center rounded-full bg-raised text-muted">
        <Icon aria-hidden className="size-4.5" />
      </span>
      <span className="min-w-0 flex-1 truncate font-medium">
        <bdi>{title || t('untitled')}</bdi>
      </span>
      <span className="flex flex-col items-end gap-1 text-xs text-muted">
        {lastMessageAt !== null && <time dateTime={lastMessageAt}>{shortTime(lastMessageAt)}</time>}
        {unread > 0 && (
          <span className="min-w-5 rounded-full bg-accent px-1.5 text-center font-semibold text-on-accent">
            <span aria-hidden>{unread > 99 ? '99+' : unread}</span>
            <span className="sr-only">{t('unread', { count: unread })}</span>
          </span>
        )}
      </span>
    </Link>
  );
}

function Results({ query }: { readonly query: string }) {
  const { t } = useTranslation('conversations');
  const { conversations } = useDevice();
  const wanted = useDeferredValue(query);
  const [found, setFound] = useState<readonly ChatMessage[]>([]);
  useEffect(() => {
    let current = true;
    void conversations.search(wanted, 50).then((messages) => current && setFound(messages));
    return () => {
      current = false;
    };
  }, [conversations, wanted]);
  const titles = new Map(useReadable(conversations.list).map((view) => [view.conversationId, view.title]));
  return (
    <div>
      <p role="status" className="px-3 py-1 text-sm text-muted">
        {t('found', { count: found.length })}
      </p>
      <ul>
        {found.map((message) => (
          <li key={message.clientMessageId}>
            <Link
              to="/c/$conversationId"
              params={{ conversationId: message.conversationId }}
              className="block rounded-lg px-3 py-2 hover:bg-raised"
            >
              <span className="flex justify-between gap-2 text-sm font-medium">
                <bdi className="truncate">{titles.get(message.conversationId)}</bdi>
                <time dateTime={message.createdAt} className="text-xs text-muted">
                  {shortTime(message.createdAt)}
                </time>
              </span>
              <span className="line-clamp-2 text-sm text-muted">{displayText(titleOf(message.payload), 160)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
