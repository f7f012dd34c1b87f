import { useTranslation } from 'react-i18next';
import { askForNotifications, useNotificationPermission } from '../../client/notification-permission.ts';
import { Button } from '../../parts/button.tsx';

/** Says what notifications are for, and offers to allow them, or says how to (WC-45). */
export function AskNotifications({ onGranted }: { readonly onGranted?: () => void }) {
  const { t } = useTranslation('settings');
  const permission = useNotificationPermission();
  if (permission === undefined) return <p className="text-sm text-muted">{t('notifications.none')}</p>;
  const ask = () =>
    void askForNotifications().then((answer) => {
      if (answer === 'granted') onGranted?.();
    });
  return (
    <div className="grid justify-items-start gap-3">
      <p className="text-sm text-muted">{t('notifications.lead')}</p>
      {permission === 'default' && <Button onClick={ask}>{t('notifications.enable')}</Button>}
      {permission === 'granted' && <p className="text-sm text-low">{t('notifications.on')}</p>}
      {permission === 'denied' && (
        <div className="grid gap-1 text-sm">
          <p className="text-medium">{t('notifications.blocked')}</p>
          <p>{t('notifications.blockedHow')}</p>
        </div>
      )}
    </div>
  );
}
