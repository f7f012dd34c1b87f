import { parseAgentLink, type RelationView } from '@parley/client';
import { Link, useNavigate } from '@tanstack/react-router';
import { Bot } from 'lucide-react';
import { type FormEvent, useDeferredValue, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { useDraft } from '../../client/use-draft.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, PageHead } from '../../parts/card.tsx';
import { TextField } from '../../parts/field.tsx';
import { Level, Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { Unconfirmed } from '../../parts/unconfirmed.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { Page } from '../../shell/page.tsx';

export function AgentsPage() {
  const { t } = useTranslation('agents');
  const [text, setText] = useState('');
  return (
    <Page>
      <PageHead title={t('title')} lead={t('lead')} />
      <div className="grid gap-8">
        <Yours />
        <section aria-labelledby="find" className="grid gap-4">
          <h2 id="find" className="text-lg font-semibold">
            {t('find')}
          </h2>
          <SearchBox label={t('searchLabel')} value={text} onChange={setText} />
          <Found text={useDeferredValue(text)} />
          <ByLink />
        </section>
      </div>
    </Page>
  );
}

function Yours() {
  const { t } = useTranslation('agents');
  const all = useReadable(useDevice().relations);
  const relations = all.filter(({ status }) => status !== 'ended');
  // The page of an agent that was removed has no place for it.
  const gone = all.filter(({ status, unconfirmed }) => status === 'ended' && unconfirmed.length > 0);
  if (relations.length + gone.length === 0) return null;
  return (
    <section aria-labelledby="yours" className="grid gap-3">
      <h2 id="yours" className="text-lg font-semibold">
        {t('yours')}
      </h2>
      <ul className="grid gap-2 sm:grid-cols-2">
        {relations.map((relation) => (
          <li key={relation.relationId}>
            <Link
              to="/agents/$agentId"
              params={{ agentId: relation.agentId }}
              className="flex min-h-16 items-center gap-3 rounded-card border bg-surface px-4 py-3 hover:border-accent"
            >
              <Bot aria-hidden className="size-6 text-accent" />
              <bdi className="min-w-0 flex-1 truncate font-medium">{relation.agentName}</bdi>
              <Waiting relation={relation} />
            </Link>
          </li>
        ))}
      </ul>
      {gone.map(({ relationId, agentName, unconfirmed }) => (
        <Unconfirmed key={relationId} agent={agentName} devices={unconfirmed} />
      ))}
    </section>
  );
}

/** What waits for the person. */
function Waiting({ relation: { problem, needsReview, needsSignature } }: { readonly relation: RelationView }) {
  const { t } = useTranslation('agents');
  if (problem !== undefined) return <Tag>{t('problem')}</Tag>;
  if (needsReview) return <Tag>{t('review')}</Tag>;
  return needsSignature && <Tag>{t('unconfirmed')}</Tag>;
}

function Found({ text }: { readonly text: string }) {
  const { t } = useTranslation('agents');
  const { agents, relations } = useDevice();
  const added = new Set(
    useReadable(relations)
      .filter(({ status }) => status !== 'ended')
      .map(({ agentId }) => agentId),
  );
  const query = usePages(['agents', text], (page) => agents.search({ ...(text.trim() ? { q: text } : {}), ...page }));
  const found = query.data?.pages.flatMap((page) => page.agents) ?? [];
  if (query.error) return <Notice tone="error">{explain(query.error)}</Notice>;
  if (query.isSuccess && found.length === 0) return <Empty title={t('none')}>{t('noneLead')}</Empty>;
  return (
    <div className="grid gap-3" aria-busy={query.isFetching}>
      <ul className="grid gap-2">
        {found.map((agent) => (
          <li key={agent.agent_id}>
            <Link
              to="/agents/$agentId"
              params={{ agentId: agent.agent_id }}
              className="grid gap-1 rounded-card border bg-surface px-4 py-3 hover:border-accent"
            >
              <span className="flex flex-wrap items-center gap-2">
                <bdi className="font-medium">{agent.name}</bdi>
                {agent.highest_sensitivity !== null && <Level level={agent.highest_sensitivity} />}
                {added.has(agent.agent_id) && <Tag>{t('added')}</Tag>}
                <span className="ml-auto text-sm text-muted">{t('tools', { count: agent.tools.length })}</span>
              </span>
              {agent.description && <span className="line-clamp-2 text-sm text-muted">{agent.description}</span>}
            </Link>
          </li>
        ))}
      </ul>
      <ShowMore query={query} />
    </div>
  );
}

function ByLink() {
  const { t } = useTranslation('agents');
  const navigate = useNavigate();
  const [link, setLink] = useDraft('form/agent-link');
  const [error, setError] = useState<string>();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    try {
      const { agentId, fingerprint } = parseAgentLink(link);
      setLink('');
      void navigate({ to: '/agents/$agentId', params: { agentId }, ...(fingerprint ? { hash: fingerprint } : {}) });
    } catch (failure) {
      setError(explain(failure));
    }
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-start gap-2">
      <div className="min-w-64 flex-1">
        <TextField
          label={t('link')}
          hint={t('linkHint')}
          error={error}
          value={link}
          onChange={({ target }) => setLink(target.value)}
          required
          autoComplete="off"
        />
      </div>
      <Button type="submit" className="mt-7">
        {t('open')}
      </Button>
    </form>
  );
}
