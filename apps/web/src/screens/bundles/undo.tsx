import { displayText } from '@parley/documents';
import { bundleRoutes, type ReplyOf } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { currentLocale } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { useAction } from '../../parts/use-action.ts';
import { FileList } from './plan.tsx';

export type UndoTo = 'previous' | 'nothing';
type Done = ReplyOf<typeof bundleRoutes.undoBundle>;
type Kept = Done['kept'];

interface UndoProps {
  readonly workspace: string;
  readonly bundleId: string;
  /** Already safe to show. */
  readonly name: string;
  readonly to: UndoTo;
  readonly onClose: () => void;
}

/** Shows what would change, then does exactly that: the agreement is bound to the plan's digest (BA-5). */
export function Undo({ workspace, bundleId, name, to, onClose }: UndoProps) {
  const { t } = useTranslation(['bundles', 'parts']);
  const api = useApi();
  const queries = useQueryClient();
  const params = { workspace, bundle_id: bundleId };
  const key = ['bundle-undo', workspace, bundleId, to, currentLocale()];
  const plan = useQuery({
    queryKey: key,
    queryFn: () => api(bundleRoutes.previewUndo, { params, query: { to } }),
    refetchOnWindowFocus: false,
    // What was previewed a while ago may be something else now.
    gcTime: 0,
  });
  const [isAgreed, agree] = useState(false);
  const [done, setDone] = useState<Done>();
  const undo = useAction(async (planDigest: string) => {
    try {
      setDone(await api(bundleRoutes.undoBundle, { params, body: { to, planDigest, evenIfManual: isAgreed } }));
    } catch (error) {
      // The workspace changed since: the person sees the plan as it is now, and decides again.
      if ((error as { status?: unknown }).status === 409) await queries.invalidateQueries({ queryKey: key });
      throw error;
    }
    await queries.invalidateQueries({ queryKey: ['workspaces'] });
    await queries.invalidateQueries({ queryKey: ['bundle-plan'] });
  });
  if (done !== undefined)
    return (
      <Dialog
        open
        onClose={onClose}
        title={t('undo.done')}
        actions={<Button onClick={onClose}>{t('parts:close')}</Button>}
      >
        <Result done={done} name={name} workspace={workspace} />
      </Dialog>
    );
  const { data } = plan;
  const isManual = (data?.manual.length ?? 0) > 0;
  const version = displayText(data?.to ?? '', 40);
  return (
    <Dialog
      open
      onClose={onClose}
      title={to === 'previous' ? t('undo.backTitle', { name, workspace }) : t('undo.removeTitle', { name, workspace })}
      lead={t('undo.lead')}
      actions={
        <>
          <Button onClick={onClose}>{t('parts:cancel')}</Button>
          <Button
            variant="danger"
            busy={undo.busy}
            disabled={data === undefined || plan.isFetching || (isManual && !isAgreed)}
            onClick={() => undo.run(data!.planDigest)}
          >
            {to === 'previous' && data !== undefined ? t('undo.back', { version }) : t('undo.remove')}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        {plan.error && <Notice tone="error">{explain(plan.error)}</Notice>}
        {undo.error !== undefined && <Notice tone="error">{explain(undo.error)}</Notice>}
        {data === undefined && !plan.error && <Spinner />}
        {data !== undefined && (
          <>
            {data.files.length === 0 ? (
              <p className="text-muted">{t('planNothing')}</p>
            ) : (
              <FileList files={data.files} />
            )}
            <KeptFiles kept={data.kept} />
            {isManual && (
              <Checkbox label={t('undo.manual')} hint={t('undo.manualHint')} checked={isAgreed} onChange={agree} />
            )}
          </>
        )}
      </div>
    </Dialog>
  );
}

function Result({ done, name, workspace }: { readonly done: Done } & Pick<UndoProps, 'name' | 'workspace'>) {
  const { t } = useTranslation('bundles');
  const { version, filesRestored, filesRemoved, kept } = done;
  return (
    <div className="grid grid-cols-1 gap-3">
      <Notice
        tone="success"
        title={
          version === null
            ? t('undo.removed', { name, workspace })
            : t('undo.returned', { name, workspace, version: displayText(version, 40) })
        }
      >
        <p>{t('undo.files', { restored: filesRestored.length, removed: filesRemoved.length })}</p>
      </Notice>
      <KeptFiles kept={kept} />
    </div>
  );
}

/** Files that a person edited since (BA-5). */
function KeptFiles({ kept }: { readonly kept: Kept }) {
  const { t } = useTranslation('bundles');
  if (kept.length === 0) return null;
  return (
    <Notice tone="warning" title={t('undo.kept')}>
      <ul className="list-disc pl-5">
        {kept.map(({ path, message }) => (
          <li key={path}>{displayText(message, 400)}</li>
        ))}
      </ul>
    </Notice>
  );
}
