import { displayText } from '@parley/documents';
import { bundleRoutes, type ReplyOf } from '@parley/protocol';
import { useQuery } from '@tanstack/react-query';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useApi } from '../../client/use-api.ts';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Undo, type UndoTo } from './undo.tsx';

type Workspace = ReplyOf<typeof bundleRoutes.listWorkspaces>['workspaces'][number];
type Installed = Workspace['installed'][number];

/** The workspaces of the server that the person may write to; most people have none. */
export function useWorkspaces(): readonly Workspace[] {
  const api = useApi();
  const query = useQuery({ queryKey: ['workspaces'], queryFn: () => api(bundleRoutes.listWorkspaces) });
  return query.data?.workspaces ?? [];
}

/** What is active in which workspace since when, and the way back (WC-65). */
export function Workspaces({ bundleId }: { readonly bundleId?: string }) {
  const { t } = useTranslation('bundles');
  const [asking, ask] = useState<{ workspace: string; installed: Installed; to: UndoTo }>();
  const active = useWorkspaces()
    .map(({ name, installed }) => ({
      workspace: name,
      bundles: installed.filter(({ id }) => bundleId === undefined || id === bundleId),
    }))
    .filter(({ bundles }) => bundleId === undefined || bundles.length > 0);
  if (active.length === 0 && asking === undefined) return null;
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="active-bundles">
      <h2 id="active-bundles" className="text-lg font-semibold">
        {t('undo.active')}
      </h2>
      {active.map(({ workspace, bundles }) => (
        <div key={workspace} className="grid grid-cols-1 gap-2">
          <h3 className="font-mono text-sm text-muted">{workspace}</h3>
          {bundles.length === 0 && <p className="text-sm text-muted">{t('undo.none')}</p>}
          {bundles.length > 0 && (
            <ul className="divide-y overflow-hidden rounded-card border bg-surface">
              {bundles.map((installed) => (
                <li key={installed.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
                  <Line installed={installed} onAsk={(to) => ask({ workspace, installed, to })} />
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
      {asking !== undefined && (
        <Undo
          workspace={asking.workspace}
          bundleId={asking.installed.id}
          name={displayText(asking.installed.name, 80)}
          to={asking.to}
          onClose={() => ask(undefined)}
        />
      )}
    </section>
  );
}

function Line({ installed, onAsk }: { readonly installed: Installed; readonly onAsk: (to: UndoTo) => void }) {
  const { t } = useTranslation('bundles');
  const { name, version, installedAt, previous } = installed;
  const icon = <Undo2 aria-hidden className="size-4" />;
  return (
    <>
      <div className="min-w-0 flex-1 basis-64 text-sm">
        <p className="break-words">
          <bdi className="font-medium">{displayText(name, 80)}</bdi> {displayText(version, 40)}{' '}
          <span className="text-muted">{t('undo.since', { time: longTime(installedAt) })}</span>
        </p>
        {previous !== null && (
          <p className="break-words text-muted">
            {t('undo.before', { version: displayText(previous.version, 40), time: longTime(previous.installedAt) })}
          </p>
        )}
      </div>
      {previous === null ? (
        <Button size="small" icon={icon} onClick={() => onAsk('nothing')}>
          {t('undo.undo')}
        </Button>
      ) : (
        <>
          <Button size="small" icon={icon} onClick={() => onAsk('previous')}>
            {t('undo.back', { version: displayText(previous.version, 40) })}
          </Button>
          <Button size="small" variant="danger" onClick={() => onAsk('nothing')}>
            {t('undo.remove')}
          </Button>
        </>
      )}
    </>
  );
}
