import { useTranslation } from 'react-i18next';
import { useNotificationPermission } from '../../client/notification-permission.ts';
import { Card } from '../../parts/card.tsx';
import { AskNotifications } from './ask-notifications.tsx';

export function Notifications() {
  const { t } = useTranslation('settings');
  if (useNotificationPermission() === undefined) return null;
  return (
    <Card className="grid gap-1">
      <h2 className="font-semibold">{t('notifications.title')}</h2>
      <AskNotifications />
    </Card>
  );
}
