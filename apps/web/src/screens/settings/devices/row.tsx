import type { DeviceView } from '@parley/client';
import { useQueryClient } from '@tanstack/react-query';
import { Laptop } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDevice } from '../../../client/provider.tsx';
import { longTime } from '../../../i18n/time.ts';
import { Button } from '../../../parts/button.tsx';
import { ConfirmAction } from '../../../parts/confirm-action.tsx';
import { Tag } from '../../../parts/level.tsx';
import { ApproveDevice } from './approve.tsx';

/** The last part of an id is random: enough to tell the devices of one person apart. */
const SHORT_ID = 8;

interface DeviceRowProps {
  readonly device: DeviceView;
  /** Whether this device, the one in front of the person, keeps the account key. */
  readonly isKeeper: boolean;
}

export function DeviceRow({ device, isKeeper }: DeviceRowProps) {
  const { t } = useTranslation('settings');
  const { devices } = useDevice();
  const queries = useQueryClient();
  const [asking, ask] = useState<'approve' | 'keep' | 'remove'>();
  const close = () => ask(undefined);
  const { deviceId, listed, keeper, current, cutOff, waiting } = device;
  // Nobody here has heard the name of one that the server hides from the start.
  const name = device.name === deviceId ? t('devices.unnamed', { id: deviceId.slice(-SHORT_ID) }) : device.name;
  // One that was let in, and never heard of it, still shows its code. This one is in, by whatever way it came.
  const isWaiting = !current && (!listed || waiting);
  const canApprove = isWaiting && isKeeper;
  const canKeep = !isWaiting && !keeper && !cutOff && isKeeper;
  const canRemove = !current && (isKeeper || !cutOff);
  const removeText = t(cutOff ? 'devices.confirm' : 'devices.remove');
  const removeTitle = t(cutOff ? 'devices.confirmTitle' : 'devices.removeTitle', { name });
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-5 py-3">
      <Laptop aria-hidden className="size-5 shrink-0 text-muted" />
      <div className="min-w-56 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <bdi>{name}</bdi>
          {current && <Tag>{t('devices.current')}</Tag>}
          {keeper && <Tag>{t('devices.keeper')}</Tag>}
          {isWaiting && <Tag>{t('devices.waiting')}</Tag>}
          {cutOff && <Tag>{t('devices.cutOff')}</Tag>}
        </p>
        <p className="text-sm text-muted">
          {cutOff
            ? t(isKeeper ? 'devices.cutOffLead' : 'devices.cutOffElsewhere')
            : t('devices.added', { time: longTime(device.createdAt) })}
        </p>
      </div>
      {(canApprove || canKeep || canRemove) && (
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:pl-8">
          {canApprove && (
            <Button
              size="small"
              variant="primary"
              aria-label={t('devices.approveTitle', { name })}
              onClick={() => ask('approve')}
            >
              {t('devices.approve')}
            </Button>
          )}
          {canKeep && (
            <Button size="small" aria-label={`${t('devices.keep')}: ${name}`} onClick={() => ask('keep')}>
              {t('devices.keep')}
            </Button>
          )}
          {canRemove && (
            <Button size="small" variant="danger" aria-label={removeTitle} onClick={() => ask('remove')}>
              {removeText}
            </Button>
          )}
        </div>
      )}
      {asking === 'approve' && <ApproveDevice device={device} onClose={close} />}
      {asking === 'keep' && (
        <ConfirmAction
          title={t('devices.keepTitle', { name })}
          lead={t('devices.keepLead')}
          confirm={t('devices.keep')}
          onClose={close}
          work={() => devices.makeKeeper(deviceId)}
        />
      )}
      {asking === 'remove' && (
        <ConfirmAction
          danger
          title={removeTitle}
          lead={t(`devices.removeLead.${howRemoved(device, isKeeper)}`)}
          confirm={removeText}
          onClose={close}
          work={async () => {
            await devices.revoke(deviceId);
            await queries.invalidateQueries({ queryKey: ['sessions'] });
          }}
        />
      )}
    </div>
  );
}

/** What removing a device means depends on what it was, and on who removes it (EE-18). */
function howRemoved({ listed, cutOff }: DeviceView, isKeeper: boolean) {
  if (!listed) return 'waiting';
  if (!isKeeper) return 'elsewhere';
  return cutOff ? 'cutOff' : 'signed';
}
