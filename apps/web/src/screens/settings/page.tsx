import type { DeviceView } from '@parley/client';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useClient, useDevice, useReadable } from '../../client/provider.tsx';
import { useRecoverySecret } from '../../client/use-devices.ts';
import { Button } from '../../parts/button.tsx';
import { Card, PageHead } from '../../parts/card.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Page } from '../../shell/page.tsx';
import { Preferences } from '../../shell/preferences.tsx';
import { Blocked } from '../contacts/blocked.tsx';
import { AccountData } from './account-data.tsx';
import { Fork } from './devices/fork.tsx';
import { DeviceList } from './devices/list.tsx';
import { SecurityNotices } from './notices.tsx';
import { Notifications } from './notifications.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Recovery } from './recovery.tsx';
import { Sessions } from './sessions.tsx';
import { Usage } from './usage.tsx';

export function SettingsPage() {
  const { t } = useTranslation('settings');
  const client = useClient();
  return (
    <Page>
      <PageHead title={t('title')} />
      <div className="grid gap-6">
        <Fork />
        <Card className="grid gap-3">
          <h2 className="font-semibold">{t('appearance')}</h2>
          <Preferences onLocale={client.setLocale} />
        </Card>
        <DeviceList />
        <Recovery />
        <Passkeys />
        <Password />
        <Sessions />
        <SecurityNotices />
        <Notifications />
        <Blocked />
        <Usage />
        <Notice title={t('trust.title')}>{t('trust.lead')}</Notice>
        <SignOut />
        <AccountData />
      </div>
    </Page>
  );
}

function SignOut() {
  const { t } = useTranslation('settings');
  const client = useClient();
  const { accountId, devices } = useDevice();
  const list = useReadable(devices);
  const { secret } = useRecoverySecret();
  const isLastKeeper = list.some(({ current, keeper }) => current && keeper) && isOnlyKeeper(list);
  const [asking, setAsking] = useState(false);
  const leave = useAction(() => client.logout());
  const forget = useAction(() => client.forget());
  return (
    <Card className="grid gap-4">
      <h2 className="font-semibold">{t('account')}</h2>
      <div className="flex flex-wrap items-center gap-3 text-sm">
        <span className="text-muted">{t('accountId')}</span>
        <code className="font-mono text-xs break-all">{accountId}</code>
        <CopyButton text={accountId} />
      </div>
      <div className="flex flex-wrap items-center gap-4">
        <Button busy={leave.busy} onClick={() => leave.run()}>
          {t('signOut')}
        </Button>
        <p className="text-sm text-muted">{t('signOutLead')}</p>
      </div>
      <div className="flex flex-wrap items-center gap-4">
        <Button variant="danger" onClick={() => setAsking(true)}>
          {t('forget')}
        </Button>
        <p className="text-sm text-muted">{t('forgetLead')}</p>
      </div>
      {(leave.error ?? forget.error) !== undefined && (
        <Notice tone="error">{explain(leave.error ?? forget.error)}</Notice>
      )}
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

const isOnlyKeeper = (list: readonly DeviceView[]) => list.filter(({ keeper }) => keeper).length === 1;
