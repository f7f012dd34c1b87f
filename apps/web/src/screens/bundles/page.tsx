import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../parts/card.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useHashTab } from '../../parts/use-hash-tab.ts';
import { Page } from '../../shell/page.tsx';
import { Find } from './find.tsx';

const CheckManifest = lazy(async () => ({ default: (await import('./check-manifest.tsx')).CheckManifest }));

const TABS = ['find', 'check'] as const;

export function BundlesPage() {
  const { t } = useTranslation('bundles');
  const [tab, choose] = useHashTab(TABS);
  const contents = {
    find: <Find />,
    check: (
      <Suspense fallback={<Spinner />}>
        <CheckManifest />
      </Suspense>
    ),
  };
  return (
    <Page>
      <PageHead title={t('title')} lead={t('lead')} />
      <Tabs
        label={t('sections')}
        tabs={TABS.map((id) => ({ id, label: t(`tab.${id}`), content: contents[id] }))}
        chosen={tab}
        onChoose={choose}
      />
    </Page>
  );
}
