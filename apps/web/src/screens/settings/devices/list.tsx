import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice, useReadable } from '../../../client/provider.tsx';
import { useIsKeeper } from '../../../client/use-devices.ts';
import { Button } from '../../../parts/button.tsx';
import { Card } from '../../../parts/card.tsx';
import { ConfirmAction } from '../../../parts/confirm-action.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { Unconfirmed } from '../../../parts/unconfirmed.tsx';
import { DeviceRow } from './row.tsx';

/** The devices of the account: who may let others in, who waits, who is gone (EE-17, EE-18). */
export function DeviceList() {
  const { t } = useTranslation('settings');
  const { devices } = useDevice();
  const list = useReadable(devices);
  const unaware = useReadable(devices.unaware);
  const isKeeper = useIsKeeper();
  return (
    <Card flush>
      <div className="border-b px-5 py-4">
        <h2 className="font-semibold">{t('devices.title')}</h2>
        <p className="text-sm text-muted">{t('devices.lead')}</p>
      </div>
      {isKeeper === false && (
        <div className="px-5 pt-4">
          <Notice title={t('devices.noKeeper')}>{t('devices.noKeeperLead')}</Notice>
        </div>
      )}
      <ul className="divide-y">
        {list.map((device) => (
          <li key={device.deviceId}>
            <DeviceRow device={device} isKeeper={isKeeper === true} />
          </li>
        ))}
      </ul>
      {unaware.length > 0 && (
        <div className="border-t px-5 py-3">
          <Unconfirmed devices={unaware} ofDevice />
        </div>
      )}
      {isKeeper === true && <AccountKey />}
      <p className="border-t px-5 py-3 text-sm text-muted">{t('devices.noHistory')}</p>
    </Card>
  );
}

function AccountKey() {
  const { t } = useTranslation('settings');
  const { devices } = useDevice();
  const [isAsking, setAsking] = useState(false);
  const [isDone, setDone] = useState(false);
  return (
    <div className="grid gap-3 border-t px-5 py-4">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-48 flex-1">
          <h3 className="font-medium">{t('devices.accountKey')}</h3>
          <p className="text-sm text-muted">{t('devices.accountKeyLead')}</p>
        </div>
        <Button size="small" onClick={() => setAsking(true)}>
          {t('devices.rotate')}
        </Button>
      </div>
      {isDone && <Notice tone="success">{t('devices.rotated')}</Notice>}
      {isAsking && (
        <ConfirmAction
          title={t('devices.rotateTitle')}
          lead={t('devices.rotateLead')}
          confirm={t('devices.rotate')}
          onClose={() => setAsking(false)}
          work={async () => {
            await devices.rotateKey();
            setDone(true);
          }}
        />
      )}
    </div>
  );
}
