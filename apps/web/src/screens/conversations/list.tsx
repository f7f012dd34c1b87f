import { type ConversationView, countWaiting } from '@parley/client';
import { Link, useParams } from '@tanstack/react-router';
import { Archive, Contact } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable, useReadableByFrame } from '../../client/provider.tsx';
import { Empty } from '../../parts/card.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { FirstSteps, useFirstSteps } from './first-steps/first-steps.tsx';
import { ArchivedBar, hideArchived } from './list/archived-bar.tsx';
import { Row } from './list/row.tsx';
import { ProblemList } from './problems.tsx';
import { Results } from './search-results.tsx';
import { StartConversation } from './start-conversation.tsx';

export function ConversationList() {
  const { t } = useTranslation('conversations');
  const device = useDevice();
  const conversations = useReadableByFrame(device.conversations.list);
  const [query, setQuery] = useState('');
  const { conversationId } = useParams({ strict: false });
  useEffect(() => {
    if (conversationId !== undefined) hideArchived();
  }, [conversationId]);
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
      <ArchivedBar />
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
  // On a wide screen they are beside the list.
  const { isShown, hide } = useFirstSteps();
  const { conversationId } = useParams({ strict: false });
  const listed = conversations.filter(({ archived, hidden }) => !archived && !hidden);
  const archived = conversations.filter((one) => one.archived && !one.hidden);
  return (
    <>
      {listed.length === 0 ? (
        // On a phone the first steps are right below, and say the same.
        <div className={isShown ? 'max-md:hidden' : undefined}>
          <Empty title={t('empty')}>
            <p>{t('emptyLead')}</p>
            <Link to="/agents" className="text-accent underline">
              {t('addAgent')}
            </Link>
          </Empty>
        </div>
      ) : (
        <RowList conversations={listed} />
      )}
      {archived.length > 0 && <Archived conversations={archived} />}
      {isShown && conversationId === undefined && (
        <div className="px-2 py-4 md:hidden">
          <FirstSteps on="narrow" onHide={hide} />
        </div>
      )}
    </>
  );
}

function RowList({ conversations }: { readonly conversations: readonly ConversationView[] }) {
  const { conversationId: open } = useParams({ strict: false });
  return (
    <ul className="grid grid-cols-1 gap-0.5">
      {conversations.map((conversation) => (
        <li key={conversation.conversationId}>
          <Row conversation={conversation} isOpen={conversation.conversationId === open} />
        </li>
      ))}
    </ul>
  );
}

function Archived({ conversations }: { readonly conversations: readonly ConversationView[] }) {
  const { t } = useTranslation('conversations');
  return (
    <details>
      <summary className="flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-3 text-sm font-medium text-muted hover:bg-raised pointer-coarse:min-h-11">
        <Archive aria-hidden className="size-4.5" />
        {t('manage.archived', { count: conversations.length })}
      </summary>
      <p className="px-3 py-1 text-sm text-muted">{t('manage.archivedLead')}</p>
      <RowList conversations={conversations} />
    </details>
  );
}
