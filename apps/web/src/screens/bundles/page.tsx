import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../parts/card.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useHashTab } from '../../parts/use-hash-tab.ts';
import { Page } from '../../shell/page.tsx';
import { Find } from './find.tsx';
import { useWorkspaces, Workspaces } from './workspaces.tsx';

const CheckManifest = lazy(async () => ({ default: (await import('./check-manifest.tsx')).CheckManifest }));

const TABS = ['find', 'check', 'active'] as const;

export function BundlesPage() {
  const { t } = useTranslation('bundles');
  const [tab, choose] = useHashTab(TABS);
  // Only those who may activate a bundle somewhere have something to undo.
  const isOperator = useWorkspaces().length > 0;
  const contents = {
    find: <Find />,
    check: (
      <Suspense fallback={<Spinner />}>
        <CheckManifest />
      </Suspense>
    ),
    active: <Workspaces />,
  };
  const shown = TABS.filter((id) => id !== 'active' || isOperator);
  return (
    <Page>
      <PageHead title={t('title')} lead={t('lead')} />
      <Tabs
        label={t('sections')}
        tabs={shown.map((id) => ({
          id,
          label: id === 'active' ? t('undo.tab') : t(`tab.${id}`),
          content: contents[id],
        }))}
        chosen={shown.includes(tab) ? tab : 'find'}
        onChoose={choose}
      />
    </Page>
  );
}
