import { displayText } from '@parley/documents';
import { agentRoutes } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { currentLocale } from '../../i18n/index.ts';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useHashTab } from '../../parts/use-hash-tab.ts';
import { Page } from '../../shell/page.tsx';
import { Events } from './events/events.tsx';
import { useWatch } from './events/use-watch.ts';
import { Overview } from './overview.tsx';
import type { OwnAgent } from './own-agent.ts';
import { Tokens } from './tokens.tsx';
import { Webhook } from './webhook.tsx';

// Loaded lazily, because the editor is large.
const ManifestTab = lazy(async () => ({ default: (await import('./manifest.tsx')).ManifestTab }));
const History = lazy(async () => ({ default: (await import('./history.tsx')).History }));

const TABS = ['overview', 'manifest', 'history', 'tokens', 'webhook', 'events'] as const;

export function OwnAgentPage() {
  const { agentId } = useParams({ from: '/framed/developer/$agentId' });
  const { t } = useTranslation('developer');
  const api = useApi();
  const query = useQuery({
    queryKey: ['own-agent', agentId, currentLocale()],
    queryFn: () => api(agentRoutes.readAgent, { params: { agent_id: agentId } }),
    // The version under comparison must not change while the person reads.
    refetchOnWindowFocus: false,
  });
  return (
    <Page>
      <Link to="/developer" className="mb-4 inline-flex items-center gap-1.5 text-sm text-muted hover:text-ink">
        <ArrowLeft aria-hidden className="size-4" /> {t('back')}
      </Link>
      {query.error && <Notice tone="error">{explain(query.error)}</Notice>}
      {query.data === undefined ? !query.error && <Spinner /> : <Loaded key={agentId} agent={query.data} />}
    </Page>
  );
}

function Loaded({ agent }: { readonly agent: OwnAgent }) {
  const { t } = useTranslation('developer');
  const [tab, choose] = useHashTab(TABS);
  const watch = useWatch(agent.agent_id);
  const contents = {
    overview: <Overview agent={agent} />,
    manifest: <ManifestTab agent={agent} />,
    history: <History agentId={agent.agent_id} newest={agent.capability_manifest_version} />,
    tokens: <Tokens agent={agent} />,
    webhook: <Webhook agent={agent} watch={watch} />,
    events: watch === undefined ? <Spinner /> : <Events watch={watch} />,
  };
  return (
    <>
      <header className="mb-4">
        <h1 className="flex flex-wrap items-center gap-3 text-2xl font-semibold tracking-tight">
          <bdi className="min-w-0 break-words">{displayText(agent.name)}</bdi>
          {agent.status !== 'active' && <Tag>{t(`status.${agent.status}`)}</Tag>}
        </h1>
        <p className="mt-1 text-sm text-muted">
          {t(`mode.${agent.connection_mode}`)} ·{' '}
          {agent.capability_manifest_hash === null
            ? t('noManifest')
            : t('version', { version: agent.capability_manifest_version })}
        </p>
      </header>
      <Tabs
        label={t('sections')}
        tabs={TABS.map((id) => ({
          id,
          label: t(`tab.${id}`),
          content: <Suspense fallback={<Spinner />}>{contents[id]}</Suspense>,
        }))}
        chosen={tab}
        onChoose={choose}
      />
    </>
  );
}
