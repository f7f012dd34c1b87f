import { useTranslation } from 'react-i18next';
import { useClient } from '../../client/provider.tsx';
import { Card, PageHead } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Page } from '../../shell/page.tsx';
import { Preferences } from '../../shell/preferences.tsx';
import { Blocked } from '../contacts/blocked.tsx';
import { Account } from './account.tsx';
import { AccountData } from './account-data.tsx';
import { Fork } from './devices/fork.tsx';
import { DeviceList } from './devices/list.tsx';
import { SecurityNotices } from './notices.tsx';
import { Notifications } from './notifications.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Profile } from './profile.tsx';
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
        <Profile />
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
        <Account />
        <AccountData />
      </div>
    </Page>
  );
}
