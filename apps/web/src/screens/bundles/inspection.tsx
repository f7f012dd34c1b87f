import { hashCanonical, type Json } from '@parley/documents';
import { previewBundle, readBundle } from '@parley/documents/bundle';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { currentLocale } from '../../i18n/index.ts';
import { JsonView } from '../../parts/json-view.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { Contents, Permissions } from './contents.tsx';
import { Levels } from './levels.tsx';
import { PlanFiles, PlanText, usePlan } from './plan.tsx';

// Loaded lazily, because drawing needs a large library.
const HandOvers = lazy(async () => ({ default: (await import('./hand-overs.tsx')).HandOvers }));

interface InspectionProps {
  readonly manifest: Json;
  /** Shown below the files of the plan. */
  readonly files?: ReactNode;
  /** The tab that is shown first. */
  readonly first?: Part;
}

const PARTS = ['overview', 'levels', 'permissions', 'graph', 'preview', 'files', 'source'] as const;
type Part = (typeof PARTS)[number];

/** Shows everything about a bundle before it is used, whether it is published or not. */
export function Inspection({ manifest, files, first = 'overview' }: InspectionProps) {
  const { t } = useTranslation('bundles');
  const locale = currentLocale();
  const { validation, bundle } = useMemo(() => readBundle(manifest, { locale }), [manifest, locale]);
  const preview = useMemo(
    () => bundle && previewBundle(bundle, { files: [], planDigest: '', locale }),
    [bundle, locale],
  );
  const digest = useMemo(() => hashCanonical(manifest), [manifest]);
  const [part, choose] = useState<Part>(first);
  const invalid = <Notice tone="warning">{t('invalid')}</Notice>;
  const contents: Record<Part, ReactNode> = {
    overview: preview ? <Contents preview={preview} /> : invalid,
    levels: <Levels validation={validation} />,
    permissions: preview ? <Permissions preview={preview} /> : invalid,
    graph: bundle ? <HandOvers bundle={bundle} /> : invalid,
    preview: bundle ? <PlanText manifest={manifest} digest={digest} /> : invalid,
    files: bundle ? <Files manifest={manifest} digest={digest} more={files} /> : invalid,
    source: <JsonView value={manifest} />,
  };
  return (
    <Tabs
      label={t('parts')}
      tabs={PARTS.map((id) => ({
        id,
        label: t(`inside.${id}`),
        content: <Suspense fallback={<Spinner />}>{contents[id]}</Suspense>,
      }))}
      chosen={part}
      onChoose={(id) => choose(id as Part)}
    />
  );
}

function Files({
  manifest,
  digest,
  more,
}: {
  readonly manifest: Json;
  readonly digest: string;
  readonly more: ReactNode;
}) {
  const { t } = useTranslation('bundles');
  const plan = usePlan(manifest, digest);
  return (
    <div className="grid grid-cols-1 gap-8">
      <section className="grid grid-cols-1 gap-3">
        <div>
          <h2 className="text-lg font-semibold">{t('files')}</h2>
          <p className="text-sm text-muted">{t('filesLead')}</p>
        </div>
        {plan.error && <Notice tone="error">{explain(plan.error)}</Notice>}
        {plan.data === undefined ? !plan.error && <Spinner /> : <PlanFiles plan={plan.data} />}
      </section>
      {more}
    </div>
  );
}
