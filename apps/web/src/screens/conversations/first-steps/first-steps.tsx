import type { ConversationView } from '@parley/client';
import { SYSTEM_AGENT_ID } from '@parley/protocol';
import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNotificationPermission } from '../../../client/notification-permission.ts';
import { useDevice, useReadableByFrame } from '../../../client/provider.tsx';
import { useBuiltInAgents } from '../../../client/use-built-in-agents.ts';
import { useRecoverySecret } from '../../../client/use-devices.ts';
import { Button } from '../../../parts/button.tsx';
import { AskNotifications } from '../../settings/ask-notifications.tsx';
import { ThingsToTry } from './things-to-try.tsx';

const RecoveryDialog = lazy(async () => ({
  default: (await import('../../../shell/recovery-dialog.tsx')).RecoveryDialog,
}));

const HIDDEN = 'parley.firstSteps.';

/** Whether the first steps are to be shown: to who is new here, and until they have their recovery secret (WC-43). */
export function useFirstSteps() {
  const { accountId, conversations } = useDevice();
  const { secret } = useRecoverySecret();
  const { demo } = useBuiltInAgents();
  const list = useReadableByFrame(conversations.list);
  const [isHidden, setHidden] = useState(() => localStorage.getItem(HIDDEN + accountId) !== null);
  const isBuiltIn = ({ agentId }: ConversationView) => agentId === SYSTEM_AGENT_ID || agentId === demo?.agent_id;
  const isNew = list.every((view) => view.agentId !== undefined && isBuiltIn(view));
  return {
    isShown: !isHidden && (isNew || typeof secret === 'string'),
    hide() {
      localStorage.setItem(HIDDEN + accountId, 'hidden');
      setHidden(true);
    },
  };
}

interface FirstStepsProps {
  /** The screens that show this copy. */
  readonly on: 'narrow' | 'wide';
  readonly onHide: () => void;
}

/** A short list of what makes the first minutes good ones. */
export function FirstSteps({ on, onHide }: FirstStepsProps) {
  const { t } = useTranslation('conversations');
  return (
    <section aria-label={t('first.title')} data-first-steps={on} className="grid w-full max-w-lg gap-4">
      <h2 className="text-lg font-semibold">{t('first.title')}</h2>
      <ol className="grid gap-3">
        <SaveSecret />
        <Try />
        <Notifications />
      </ol>
      <div>
        <Button variant="quiet" size="small" onClick={onHide}>
          {t('first.hide')}
        </Button>
      </div>
    </section>
  );
}

interface StepProps {
  readonly name?: 'secret';
  readonly title: string;
  readonly isDone?: boolean;
  readonly children?: ReactNode;
}

function Step({ name, title, isDone = false, children }: StepProps) {
  const { t } = useTranslation('conversations');
  return (
    <li data-step={name} className="grid gap-3 rounded-card border bg-surface p-4">
      <h3 className="flex items-center gap-2 font-medium">
        {isDone && <Check aria-label={t('first.done')} className="size-4 shrink-0 text-low" />}
        {title}
      </h3>
      {children}
    </li>
  );
}

/** Before it is needed: afterwards it is too late (EE-17). */
function SaveSecret() {
  const { t } = useTranslation('conversations');
  const { secret, confirmSaved } = useRecoverySecret();
  const [isOpen, setOpen] = useState(false);
  const [isSaved, setSaved] = useState(false);
  // On a device that never had it there is nothing to save.
  if (typeof secret !== 'string') return isSaved ? <Step title={t('first.secretSaved')} isDone /> : null;
  const save = async () => {
    setSaved(true);
    await confirmSaved();
  };
  return (
    <Step name="secret" title={t('first.secret')}>
      <p className="text-sm text-muted">{t('first.secretLead')}</p>
      <div>
        <Button variant="primary" onClick={() => setOpen(true)}>
          {t('first.secretShow')}
        </Button>
      </div>
      {isOpen && (
        <Suspense>
          <RecoveryDialog secret={secret} onSaved={save} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </Step>
  );
}

function Try() {
  const { t } = useTranslation('conversations');
  const { demo, isAsking } = useBuiltInAgents();
  if (isAsking) return null;
  if (demo === undefined)
    return (
      <Step title={t('first.find')}>
        <p className="text-sm text-muted">{t('first.findLead')}</p>
        <Link to="/agents" className="inline-flex min-h-6 w-fit items-center text-accent underline">
          {t('addAgent')}
        </Link>
      </Step>
    );
  return (
    <Step title={t('first.demo', { name: demo.name })}>
      <p className="text-sm text-muted">{t('first.demoLead', { name: demo.name })}</p>
      <ThingsToTry agent={demo} />
    </Step>
  );
}

function Notifications() {
  const { t } = useTranslation('conversations');
  const permission = useNotificationPermission();
  if (permission === undefined) return null;
  return (
    <Step title={t('first.notifications')} isDone={permission === 'granted'}>
      <AskNotifications />
    </Step>
  );
}
