import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useClient } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Welcome } from './welcome.tsx';

const ForgetAccount = lazy(async () => ({ default: (await import('./forget-account.tsx')).ForgetAccount }));

interface RemovedProps {
  readonly accountId: string;
  /** By the signed list of the devices; otherwise it is only what the server says. */
  readonly signed: boolean;
}

/** The device was removed from the account, and its person is there: it can come back as a new one (WC-4). */
export function Removed({ accountId, signed }: RemovedProps) {
  const { t } = useTranslation('signIn');
  const client = useClient();
  const [isSure, setSure] = useState(false);
  const [forgetting, setForgetting] = useState(false);
  const renew = useAction(() => client.renew());
  const leave = useAction(() => client.logout());
  return (
    <Welcome title={t('removed.title')} lead={t('removed.lead')} interrupts>
      <p className="text-sm">{t('removed.renewLead')}</p>
      <ul className="grid list-disc gap-1 ps-5 text-sm text-muted">
        <li>{t('removed.stays')}</li>
        <li>{t('removed.goes')}</li>
      </ul>
      {!signed && (
        <>
          <Notice tone="warning" title={t('removed.unsigned')}>
            {t('removed.unsignedLead')}
          </Notice>
          <Checkbox label={t('removed.sure')} checked={isSure} onChange={setSure} />
        </>
      )}
      {(renew.error ?? leave.error) !== undefined && (
        <Notice tone="error">{explain(renew.error ?? leave.error)}</Notice>
      )}
      <Button variant="primary" disabled={!signed && !isSure} busy={renew.busy} onClick={() => renew.run()}>
        {t('removed.renew')}
      </Button>
      <Button variant="quiet" busy={leave.busy} onClick={() => leave.run()}>
        {t('signOut')}
      </Button>
      <Button variant="danger" onClick={() => setForgetting(true)}>
        {t('accounts.forget')}
      </Button>
      {forgetting && (
        <Suspense>
          <ForgetAccount accountId={accountId} onClose={() => setForgetting(false)} />
        </Suspense>
      )}
    </Welcome>
  );
}
