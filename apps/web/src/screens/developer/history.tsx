import type { Change } from '@parley/documents';
import { agentRoutes } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { currentLocale, sentenceSpace } from '../../i18n/index.ts';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { CodeEditor, CompareTexts } from '../../parts/code-editor.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Select } from '../../parts/select.tsx';
import { ShowMore } from '../../parts/show-more.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { usePages } from '../../parts/use-pages.ts';
import { Changes } from './changes.tsx';
import { pretty } from './check.ts';

/** Lists every version that was ever live, and compares any two. */
export function History({ agentId, newest }: { readonly agentId: string; readonly newest: number }) {
  const { t } = useTranslation('developer');
  const api = useApi();
  const query = usePages(['manifests', agentId, newest], (page) =>
    api(agentRoutes.listManifests, {
      params: { agent_id: agentId },
      query: { limit: '50', ...page },
    }),
  );
  const [viewed, view] = useState<number>();
  if (query.error) return <Notice tone="error">{explain(query.error)}</Notice>;
  if (query.data === undefined) return <Spinner />;
  const manifests = query.data.pages.flatMap((page) => page.manifests);
  if (manifests.length === 0) return <Notice>{t('historyNone')}</Notice>;
  const numbers = manifests.map((one) => one.capability_manifest_version);
  return (
    <div className="grid grid-cols-1 gap-8">
      <div className="grid gap-3">
        <ul className="divide-y overflow-hidden rounded-card border bg-surface">
          {manifests.map((one) => {
            const number = one.capability_manifest_version;
            return (
              <li key={number} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-3">
                <span className="font-medium">{t('historyVersion', { version: number })}</span>
                {one.breaking && (
                  <span className="rounded-full bg-high-soft px-2 py-0.5 text-xs font-semibold text-high">
                    {t('breaking')}
                  </span>
                )}
                <time dateTime={one.created_at} className="text-sm text-muted">
                  {longTime(one.created_at)}
                </time>
                <code
                  className="hidden min-w-0 flex-1 truncate font-mono text-xs text-muted sm:block"
                  title={one.capability_manifest_hash}
                >
                  {one.capability_manifest_hash}
                </code>
                <Button
                  size="small"
                  className="ml-auto"
                  aria-expanded={viewed === number}
                  onClick={() => view(viewed === number ? undefined : number)}
                >
                  {t('historyView')}
                </Button>
              </li>
            );
          })}
        </ul>
        <ShowMore query={query} />
      </div>
      {viewed !== undefined && <One key={viewed} agentId={agentId} version={viewed} />}
      {numbers.length > 1 && <Two agentId={agentId} numbers={numbers} />}
    </div>
  );
}

function useVersion(agentId: string, version: number) {
  const api = useApi();
  return useQuery({
    queryKey: ['manifest', agentId, version],
    queryFn: () => api(agentRoutes.readManifest, { params: { agent_id: agentId, version: String(version) } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

function One({ agentId, version }: { readonly agentId: string; readonly version: number }) {
  const { t } = useTranslation('developer');
  const query = useVersion(agentId, version);
  if (query.error) return <Notice tone="error">{explain(query.error)}</Notice>;
  if (query.data === undefined) return <Spinner />;
  return (
    <section className="grid grid-cols-1 gap-2">
      <h2 className="text-lg font-semibold">{t('historyVersion', { version })}</h2>
      <p className="text-sm break-all text-muted">
        {t('historyHash')}
        {sentenceSpace()}
        <code className="font-mono text-xs">{query.data.capability_manifest_hash}</code>
      </p>
      <CodeEditor label={t('historyVersion', { version })} value={pretty(query.data.capability_manifest)} />
    </section>
  );
}

function Two({ agentId, numbers }: { readonly agentId: string; readonly numbers: readonly number[] }) {
  const { t } = useTranslation('developer');
  const api = useApi();
  const [from, setFrom] = useState(numbers[1]!);
  const [to, setTo] = useState(numbers[0]!);
  const locale = currentLocale();
  const diff = useQuery({
    queryKey: ['manifest-diff', agentId, from, to, locale],
    queryFn: () =>
      api(agentRoutes.diffManifestVersions, {
        params: { agent_id: agentId },
        query: { from: String(from), to: String(to), locale },
      }),
  });
  const [before, after] = [useVersion(agentId, from), useVersion(agentId, to)];
  const options = numbers.map((number) => ({ value: String(number), label: t('historyVersion', { version: number }) }));
  const error = diff.error ?? before.error ?? after.error;
  return (
    <Card className="grid grid-cols-1 gap-4">
      <h2 className="text-lg font-semibold">{t('historyCompare')}</h2>
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label={t('historyFrom')}
          value={String(from)}
          options={options}
          onChange={(value) => setFrom(Number(value))}
        />
        <Select
          label={t('historyTo')}
          value={String(to)}
          options={options}
          onChange={(value) => setTo(Number(value))}
        />
      </div>
      {error && <Notice tone="error">{explain(error)}</Notice>}
      {diff.data && <Changes changes={diff.data.changes as Change[]} />}
      {before.data && after.data && (
        <CompareTexts
          before={pretty(before.data.capability_manifest)}
          after={pretty(after.data.capability_manifest)}
          labels={[t('historyVersion', { version: from }), t('historyVersion', { version: to })]}
        />
      )}
    </Card>
  );
}
