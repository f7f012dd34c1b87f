import { displayText } from '@parley/documents';
import { agentRoutes } from '@parley/protocol';
import { Link } from '@tanstack/react-router';
import { Bot, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Empty, PageHead } from '../../parts/card.tsx';
import { Level, Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { Page } from '../../shell/page.tsx';
import { CreateAgent } from './create.tsx';

/** Lists the agents that the person owns. */
export function DeveloperPage() {
  const { t } = useTranslation('developer');
  const [creating, setCreating] = useState(false);
  const create = (
    <Button variant="primary" icon={<Plus aria-hidden className="size-4" />} onClick={() => setCreating(true)}>
      {t('create')}
    </Button>
  );
  return (
    <Page>
      <PageHead title={t('title')} lead={t('lead')} actions={create} />
      <OwnAgents />
      {creating && <CreateAgent onClose={() => setCreating(false)} />}
    </Page>
  );
}

function OwnAgents() {
  const { t } = useTranslation('developer');
  const api = useApi();
  const query = usePages(['own-agents'], (page) =>
    api(agentRoutes.searchAgents, {
      query: { mine: 'true', limit: '50', ...page },
    }),
  );
  if (query.error) return <Notice tone="error">{explain(query.error)}</Notice>;
  if (query.data === undefined) return <Spinner />;
  const agents = query.data.pages.flatMap((page) => page.agents);
  if (agents.length === 0)
    return (
      <Empty icon={<Bot aria-hidden className="size-8" />} title={t('none')}>
        {t('noneLead')}
      </Empty>
    );
  return (
    <div className="grid gap-3">
      <ul className="grid gap-3">
        {agents.map((agent) => (
          <li key={agent.agent_id}>
            <Link
              to="/developer/$agentId"
              params={{ agentId: agent.agent_id }}
              className="flex items-start gap-4 rounded-card border bg-surface px-5 py-4 shadow-card hover:border-accent"
            >
              <Bot aria-hidden className="mt-0.5 size-6 shrink-0 text-accent" />
              <span className="grid min-w-0 flex-1 gap-1">
                <span className="flex flex-wrap items-center gap-2">
                  <bdi className="min-w-0 font-semibold break-words">{displayText(agent.name)}</bdi>
                  {agent.status !== 'active' && <Tag>{t(`status.${agent.status}`)}</Tag>}
                  {agent.visibility === 'private' && <Tag>{t('private')}</Tag>}
                  {agent.highest_sensitivity !== null && <Level level={agent.highest_sensitivity} />}
                </span>
                {agent.description && (
                  <bdi className="line-clamp-2 text-sm text-muted">{displayText(agent.description, 400)}</bdi>
                )}
                <span className="text-sm text-muted">
                  {t(`mode.${agent.connection_mode}`)} ·{' '}
                  {agent.capability_manifest_hash === null
                    ? t('noManifest')
                    : t('version', { version: agent.capability_manifest_version })}
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <ShowMore query={query} />
    </div>
  );
}
