import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../../parts/card.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useHashTab } from '../../parts/use-hash-tab.ts';
import { Page } from '../../shell/page.tsx';
import { Find } from './find.tsx';
import { Namespaces } from './namespaces.tsx';

const Publish = lazy(async () => ({ default: (await import('./publish.tsx')).Publish }));

const TABS = ['find', 'publish', 'namespaces'] as const;

export function SkillsPage() {
  const { t } = useTranslation('skills');
  const [tab, choose] = useHashTab(TABS);
  const contents = {
    find: <Find />,
    publish: (
      <Suspense fallback={<Spinner />}>
        <Publish />
      </Suspense>
    ),
    namespaces: <Namespaces />,
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
