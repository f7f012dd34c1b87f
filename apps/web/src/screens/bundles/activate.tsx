import { displayText, hashCanonical, type Json } from '@parley/documents';
import { bundleRoutes, type ReplyOf } from '@parley/protocol';
import { useQueryClient } from '@tanstack/react-query';
import { Play } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Select } from '../../parts/select.tsx';
import { Spinner } from '../../parts/spinner.tsx';
import { useAction } from '../../parts/use-action.ts';
import { PlanFiles, usePlan } from './plan.tsx';
import { useWorkspaces } from './workspaces.tsx';

interface ActivateProps {
  readonly manifest: Json;
  /** Already safe to show. */
  readonly name: string;
}

/** It is shown only if the person may write to a workspace of the server. */
export function Activate({ manifest, name }: ActivateProps) {
  const { t } = useTranslation('bundles');
  const [open, setOpen] = useState(false);
  const workspaces = useWorkspaces();
  if (workspaces.length === 0) return null;
  return (
    <>
      <Button variant="primary" icon={<Play aria-hidden className="size-4" />} onClick={() => setOpen(true)}>
        {t('activate')}
      </Button>
      {open && <Choose manifest={manifest} name={name} workspaces={workspaces} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ChooseProps extends ActivateProps {
  readonly workspaces: ReturnType<typeof useWorkspaces>;
  readonly onClose: () => void;
}

function Choose({ manifest, name, workspaces, onClose }: ChooseProps) {
  const { t } = useTranslation('bundles');
  const [workspace, choose] = useState(workspaces[0]!.name);
  const [isPreviewing, preview] = useState(false);
  if (isPreviewing) return <Planned manifest={manifest} name={name} workspace={workspace} onClose={onClose} />;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('activate')}
      lead={t('activateLead')}
      actions={
        <Button variant="primary" onClick={() => preview(true)}>
          {t('look')}
        </Button>
      }
    >
      <Select
        label={t('workspace')}
        value={workspace}
        onChange={choose}
        options={workspaces.map(({ name: value, bundles }) => ({
          value,
          label:
            bundles.length === 0
              ? t('workspaceEmpty', { name: value })
              : t('workspaceHolds', { name: value, bundles: bundles.join(', ') }),
        }))}
      />
    </Dialog>
  );
}

interface PlannedProps extends ActivateProps {
  readonly workspace: string;
  readonly onClose: () => void;
}

/** Shows the plan. The consent is bound to its digest (BA-2). */
function Planned({ manifest, name, workspace, onClose }: PlannedProps) {
  const { t } = useTranslation(['bundles', 'parts']);
  const api = useApi();
  const queries = useQueryClient();
  const digest = useMemo(() => hashCanonical(manifest), [manifest]);
  const plan = usePlan(manifest, digest, workspace);
  const [done, setDone] = useState<ReplyOf<typeof bundleRoutes.activateBundle>>();
  const activate = useAction(async (planDigest: string) => {
    setDone(await api(bundleRoutes.activateBundle, { body: { manifest, workspace, planDigest } }));
    await queries.invalidateQueries({ queryKey: ['workspaces'] });
    await queries.invalidateQueries({ queryKey: ['bundle-plan'] });
  });
  if (done !== undefined)
    return (
      <Dialog
        open
        onClose={onClose}
        title={t('activate')}
        actions={<Button onClick={onClose}>{t('parts:close')}</Button>}
      >
        <Notice tone="success" title={t('activated', { name, version: displayText(done.version), workspace })}>
          <p>{t('activatedFiles', { created: done.filesCreated.length, modified: done.filesModified.length })}</p>
          {done.snapshotId !== null && <p className="break-all">{t('snapshot', { id: done.snapshotId })}</p>}
        </Notice>
      </Dialog>
    );
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('planTitle', { name, workspace })}
      lead={t('planLead')}
      actions={
        <>
          <Button onClick={onClose}>{t('parts:cancel')}</Button>
          <Button
            variant="primary"
            busy={activate.busy}
            disabled={plan.data === undefined || plan.data.missing.some(({ reason }) => reason !== null)}
            onClick={() => activate.run(plan.data!.preview.planDigest)}
          >
            {t('activate')}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-1 gap-3">
        {plan.error && <Notice tone="error">{explain(plan.error)}</Notice>}
        {plan.data === undefined ? !plan.error && <Spinner /> : <PlanFiles plan={plan.data} />}
        {activate.error !== undefined && <Notice tone="error">{explain(activate.error)}</Notice>}
      </div>
    </Dialog>
  );
}
