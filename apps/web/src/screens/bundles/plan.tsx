import { displayText, type Json } from '@parley/documents';
import type { BundlePreview, PreviewFile } from '@parley/documents/bundle';
import { bundleRoutes } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { currentLocale, sentenceSpace } from '../../i18n/index.ts';
import { Text } from '../../parts/markdown.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Spinner } from '../../parts/spinner.tsx';

/** Shows what the server would do to activate the bundle (BA-1), without changing anything. */
export function usePlan(manifest: Json, digest: string, workspace?: string) {
  const api = useApi();
  return useQuery({
    queryKey: ['bundle-plan', digest, workspace, currentLocale()],
    queryFn: async () => {
      const reply = await api(bundleRoutes.previewBundle, {
        body: { manifest, ...(workspace === undefined ? {} : { workspace }) },
      });
      return { ...reply, preview: reply.preview as unknown as BundlePreview };
    },
    refetchOnWindowFocus: false,
  });
}

type Plan = NonNullable<ReturnType<typeof usePlan>['data']>;

/** Shows the whole preview as Markdown. The server has already escaped what came from the manifest. */
export function PlanText({ manifest, digest }: { readonly manifest: Json; readonly digest: string }) {
  const plan = usePlan(manifest, digest);
  if (plan.error) return <Notice tone="error">{explain(plan.error)}</Notice>;
  if (plan.data === undefined) return <Spinner />;
  return (
    <div className="grid grid-cols-1 gap-4">
      <Missing plan={plan.data} />
      <div className="rounded-card border bg-surface p-5">
        <Text>{plan.data.markdown}</Text>
      </div>
    </div>
  );
}

/** Lists the files of the plan and what is still missing. */
export function PlanFiles({ plan }: { readonly plan: Plan }) {
  const { t } = useTranslation('bundles');
  const { files, planDigest } = plan.preview;
  return (
    <div className="grid grid-cols-1 gap-3">
      <Missing plan={plan} />
      {files.length === 0 ? <p className="text-muted">{t('planNothing')}</p> : <FileList files={files} />}
      <p className="text-sm break-all text-muted">
        {t('planDigest')}
        {sentenceSpace()}
        <code className="font-mono text-xs">{planDigest}</code>
      </p>
    </div>
  );
}

const MAX_SHOWN = 300;

export function FileList({ files }: { readonly files: readonly Pick<PreviewFile, 'path' | 'action'>[] }) {
  const { t } = useTranslation(['bundles', 'parts']);
  return (
    <ul className="divide-y overflow-hidden rounded-lg border bg-surface text-sm">
      {files.slice(0, MAX_SHOWN).map(({ path, action }) => (
        <li key={path} className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-2">
          <code className="min-w-0 font-mono text-xs break-all">{path}</code>
          <span className={action === 'create' ? 'text-low' : 'text-medium'}>{t(`fileAction.${action}`)}</span>
        </li>
      ))}
      {files.length > MAX_SHOWN && (
        <li className="px-4 py-2 text-muted">{t('parts:more', { count: files.length - MAX_SHOWN })}</li>
      )}
    </ul>
  );
}

function Missing({ plan }: { readonly plan: Plan }) {
  const { t } = useTranslation('bundles');
  if (plan.missing.length === 0) return null;
  return (
    <Notice tone="warning" title={t('missing')}>
      <ul className="list-disc pl-5">
        {plan.missing.map(({ code, kit, message }) => (
          <li key={`${code} ${kit}`}>{displayText(message, 400)}</li>
        ))}
      </ul>
    </Notice>
  );
}
