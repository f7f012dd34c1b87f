import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';

export function Notifications() {
  const { t } = useTranslation('settings');
  const [permission, setPermission] = useState(() => globalThis.Notification?.permission);
  if (permission === undefined) return null;
  return (
    <Card className="grid gap-3">
      <div>
        <h2 className="font-semibold">{t('notifications.title')}</h2>
        <p className="text-sm text-muted">{t('notifications.lead')}</p>
      </div>
      {permission === 'default' && (
        <div>
          <Button onClick={() => void Notification.requestPermission().then(setPermission)}>
            {t('notifications.enable')}
          </Button>
        </div>
      )}
      {permission === 'granted' && <p className="text-sm text-low">{t('notifications.on')}</p>}
      {permission === 'denied' && <p className="text-sm text-medium">{t('notifications.blocked')}</p>}
    </Card>
  );
}
