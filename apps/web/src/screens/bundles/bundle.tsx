import { displayText, type Json } from '@parley/documents';
import { bundleRoutes, type ReplyOf } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { useApi } from '../../client/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmAction } from '../../parts/confirm-action.tsx';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Publisher } from '../../parts/publisher.tsx';
import { Select } from '../../parts/select.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { Page } from '../../shell/page.tsx';
import { Activate } from './activate.tsx';
import { Inspection } from './inspection.tsx';
import { Workspaces } from './workspaces.tsx';

type Detail = ReplyOf<typeof bundleRoutes.readBundle>;

export function BundlePage() {
  const { bundleId } = useParams({ from: '/framed/bundles/$bundleId' });
  const { t } = useTranslation('bundles');
  const api = useApi();
  const [version, setVersion] = useState<string>();
  const query = useQuery({
    queryKey: ['bundle', bundleId, version],
    queryFn: () =>
      version === undefined
        ? api(bundleRoutes.readBundle, { params: { bundle_id: bundleId } })
        : api(bundleRoutes.readBundleVersion, { params: { bundle_id: bundleId, version } }),
    placeholderData: (before) => before,
  });
  return (
    <Page>
      <Link to="/bundles" className="mb-4 inline-flex items-center gap-1.5 text-sm text-muted hover:text-ink">
        <ArrowLeft aria-hidden className="size-4" /> {t('back')}
      </Link>
      {query.error && <Notice tone="error">{explain(query.error)}</Notice>}
      {query.data === undefined ? (
        !query.error && <Spinner />
      ) : (
        <Loaded bundleId={bundleId} detail={query.data} onVersion={setVersion} />
      )}
    </Page>
  );
}

interface LoadedProps {
  readonly bundleId: string;
  readonly detail: Detail;
  readonly onVersion: (version: string) => void;
}

function Loaded({ bundleId, detail, onVersion }: LoadedProps) {
  const { t } = useTranslation('bundles');
  const { accountId } = useDevice();
  const manifest = detail.manifest as Json & Record<string, unknown>;
  const show = (name: string, max: number) => displayText(String(manifest[name] ?? ''), max);
  return (
    <div className="grid grid-cols-1 gap-6">
      <header className="flex flex-wrap items-start justify-between gap-4">
        <div className="grid max-w-2xl min-w-0 gap-1">
          <h1 className="text-2xl font-semibold tracking-tight break-words">
            <bdi>{show('name', 100)}</bdi>
          </h1>
          <p className="text-muted">
            <bdi>{show('summary', 400)}</bdi>
          </p>
          {show('description', 4_000) !== '' && (
            <p className="text-sm break-words">
              <bdi>{show('description', 4_000)}</bdi>
            </p>
          )}
        </div>
        <Select
          label={t('version')}
          value={detail.version}
          onChange={onVersion}
          options={detail.versions.map((one) => ({
            value: one.version,
            label: one.yanked ? t('versionYanked', { version: one.version }) : one.version,
          }))}
        />
      </header>
      {detail.yanked && <Notice tone="warning">{t('yankedNotice')}</Notice>}
      <dl className="grid gap-x-8 gap-y-2 text-sm sm:grid-cols-2">
        <Fact name={t('forWhom')} value={show('targetUser', 200)} />
        <Fact name={t('owner')} value={<Publisher owner={detail.owner} />} />
        {show('author', 80) !== '' && <Fact name={t('undo.author')} value={show('author', 80)} />}
        <Fact name={t('license')} value={show('license', 60) || 'MIT'} />
        <Fact name={t('digest')} value={detail.digest} isCode />
      </dl>
      {Array.isArray(manifest.tags) && manifest.tags.length > 0 && (
        <ul className="flex flex-wrap gap-1.5">
          {manifest.tags.slice(0, 20).map((tag) => (
            <li key={String(tag)}>
              <Tag>{displayText(String(tag), 40)}</Tag>
            </li>
          ))}
        </ul>
      )}
      <div className="flex flex-wrap items-start gap-3">
        <Activate manifest={manifest} name={show('name', 80)} />
        {detail.owner.user_id === accountId && <Yank bundleId={bundleId} detail={detail} />}
      </div>
      <Workspaces bundleId={bundleId} />
      <Inspection key={detail.version} manifest={manifest} files={<KitFiles kits={detail.kits} />} />
    </div>
  );
}

function Fact({
  name,
  value,
  isCode = false,
}: {
  readonly name: string;
  readonly value: ReactNode;
  readonly isCode?: boolean;
}) {
  return (
    <div className="min-w-0">
      <dt className="text-muted">{name}</dt>
      <dd className={isCode ? 'font-mono text-xs break-all' : 'break-words'}>
        <bdi>{value}</bdi>
      </dd>
    </div>
  );
}

function KitFiles({ kits }: { readonly kits: Detail['kits'] }) {
  const { t } = useTranslation('bundles');
  const entries = Object.entries(kits);
  return (
    <section className="grid grid-cols-1 gap-3">
      <h2 className="text-lg font-semibold">{t('kitFiles')}</h2>
      {entries.length === 0 && <p className="text-sm text-muted">{t('kitFilesNone')}</p>}
      {entries.map(([kit, { files }]) => (
        <div key={kit} className="grid grid-cols-1 gap-1">
          <h3 className="font-mono text-sm">{kit}</h3>
          <ul className="divide-y overflow-hidden rounded-lg border bg-surface">
            {files.map((file) => (
              <li key={file.path} className="px-4 py-2">
                <code className="block font-mono text-xs break-all">{displayText(file.path, 400)}</code>
                <code className="block font-mono text-xs break-all text-muted">{file.sha256}</code>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function Yank({ bundleId, detail: { version, yanked } }: { readonly bundleId: string; readonly detail: Detail }) {
  const { t } = useTranslation('bundles');
  const api = useApi();
  const queries = useQueryClient();
  const [asking, ask] = useState(false);
  const name = yanked ? 'unyank' : 'yank';
  const work = async () => {
    await api(bundleRoutes.yankBundleVersion, { params: { bundle_id: bundleId, version }, body: { yanked: !yanked } });
    await queries.invalidateQueries({ queryKey: ['bundle', bundleId] });
    await queries.invalidateQueries({ queryKey: ['bundles'] });
  };
  return (
    <>
      <Button onClick={() => ask(true)}>{t(name)}</Button>
      {asking && (
        <ConfirmAction
          title={t(`${name}Title`, { version })}
          lead={t(`${name}Lead`)}
          confirm={t(name)}
          danger={!yanked}
          onClose={() => ask(false)}
          work={work}
        />
      )}
    </>
  );
}
