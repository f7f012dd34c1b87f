import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useClient } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Recover } from './recover.tsx';
import { Welcome } from './welcome.tsx';

interface WaitingProps {
  readonly code: string;
  /** Of a device that was removed and comes back. */
  readonly hasMessages: boolean;
}

/** A new device waits until a keeper, or the recovery secret, has let it in (EE-16). */
export function Waiting({ code, hasMessages }: WaitingProps) {
  const { t } = useTranslation('signIn');
  const client = useClient();
  const leave = useAction(() => client.logout());
  return (
    <Welcome title={t('waitingTitle')} lead={t('waitingLead')}>
      <div className="grid gap-2">
        <p className="text-sm text-muted">{t('waitingCode')}</p>
        <p data-testid="code" className="font-mono text-xl tracking-wider text-balance select-all">
          {code}
        </p>
        <div>
          <CopyButton text={code} />
        </div>
      </div>
      <p className="text-sm text-muted">{t('waitingNow')}</p>
      <Notice>{t(hasMessages ? 'removed.stays' : 'noHistory')}</Notice>
      <Recover />
      <p className="text-sm text-muted">{t('keysAndPassword.neither')}</p>
      {leave.error !== undefined && <Notice tone="error">{explain(leave.error)}</Notice>}
      <Button variant="quiet" busy={leave.busy} onClick={() => leave.run()}>
        {t('signOut')}
      </Button>
    </Welcome>
  );
}
