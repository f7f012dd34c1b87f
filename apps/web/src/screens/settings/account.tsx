import type { DeviceView } from '@parley/client';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { forgetAccount } from '../../client/keys.ts';
import { knownAccounts } from '../../client/known-accounts.ts';
import { useClient, useDevice, useReadable } from '../../client/provider.tsx';
import { useRecoverySecret } from '../../client/use-devices.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useAccountName } from '../sign-in/use-account-name.ts';

/** Signing out, using another account, and removing this one from the device. */
export function Account() {
  const { t } = useTranslation('settings');
  const client = useClient();
  const navigate = useNavigate();
  const { accountId, devices } = useDevice();
  const list = useReadable(devices);
  const { secret } = useRecoverySecret();
  const isLastKeeper = list.some(({ current, keeper }) => current && keeper) && isOnlyKeeper(list);
  const [asking, setAsking] = useState(false);
  const leave = useAction(() => client.logout());
  const change = useAction(async () => {
    // What is open here is a page of this account.
    await navigate({ to: '/' });
    await client.logout();
  });
  const forget = useAction(() => forgetAccount(accountId));
  const error = leave.error ?? change.error ?? forget.error;
  return (
    <Card className="grid gap-5 sm:gap-4">
      <h2 className="font-semibold">{t('account')}</h2>
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <span className="text-muted">{t('accountId')}</span>
        <code className="font-mono text-xs break-all">{accountId}</code>
        <CopyButton text={accountId} />
      </div>
      <Others />
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <Button busy={change.busy} onClick={() => change.run()}>
          {t('accounts.change')}
        </Button>
        <p className="text-sm text-muted">{t('accounts.changeLead')}</p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <Button busy={leave.busy} onClick={() => leave.run()}>
          {t('signOut')}
        </Button>
        <p className="text-sm text-muted">{t('signOutLead')}</p>
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <Button variant="danger" onClick={() => setAsking(true)}>
          {t('forget')}
        </Button>
        <p className="text-sm text-muted">{t('forgetLead')}</p>
      </div>
      {error !== undefined && <Notice tone="error">{explain(error)}</Notice>}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('forget')}
        lead={t('forgetLead')}
        action={t('forget')}
        busy={forget.busy}
        onConfirm={() => forget.run()}
      >
        {isLastKeeper && <Notice tone="warning">{t('forgetLastKeeper')}</Notice>}
        {typeof secret === 'string' && <Notice tone="warning">{t('forgetSecret')}</Notice>}
      </Confirm>
    </Card>
  );
}

/** The other accounts whose keys are on this device. */
function Others() {
  const { t } = useTranslation('settings');
  const { accountId } = useDevice();
  const nameOf = useAccountName();
  const others = useReadable(knownAccounts).filter((one) => one.accountId !== accountId);
  if (others.length === 0) return null;
  return (
    <div className="grid gap-1 text-sm">
      <h3 className="text-muted">{t('accounts.others')}</h3>
      <ul className="grid gap-1">
        {others.map((account) => (
          <li key={account.accountId}>
            <bdi>{nameOf(account)}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

const isOnlyKeeper = (list: readonly DeviceView[]) => list.filter(({ keeper }) => keeper).length === 1;
