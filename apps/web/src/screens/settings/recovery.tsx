import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRecoverySecret } from '../../client/use-devices.ts';
import { Card } from '../../parts/card.tsx';
import { Notice } from '../../parts/notice.tsx';
import { RecoverySecret } from '../../shell/recovery-secret.tsx';

/** Shows the recovery secret as long as it is on this device, and where it is afterwards (EE-17). */
export function Recovery() {
  const { t } = useTranslation('settings');
  const { secret, confirmSaved } = useRecoverySecret();
  const [isSaved, setSaved] = useState(false);
  const save = async () => {
    await confirmSaved();
    setSaved(true);
  };
  return (
    <Card className="grid gap-4">
      <div>
        <h2 className="font-semibold">{t('recovery.title')}</h2>
        <p className="text-sm text-muted">{t('recovery.lead')}</p>
      </div>
      {isSaved && <Notice tone="success">{t('recovery.saved')}</Notice>}
      {secret === null && <p className="text-sm">{t('recovery.elsewhere')}</p>}
      {typeof secret === 'string' && (
        <div className="max-w-xl">
          <RecoverySecret secret={secret} onSaved={save} />
        </div>
      )}
    </Card>
  );
}
