import type { DeviceView } from '@parley/client';
import { useQuery } from '@tanstack/react-query';
import { Laptop } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice, useReadable } from '../../client/provider.tsx';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Tag } from '../../parts/level.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';

/** Lists, approves and revokes the devices of the account (EE-14). */
export function DeviceList() {
  const { t } = useTranslation('settings');
  const { devices } = useDevice();
  const list = useReadable(devices);
  const able = useQuery({ queryKey: ['canApprove'], queryFn: () => devices.canApprove() });
  const waiting = list.some(({ certified }) => !certified);
  return (
    <Card flush>
      <div className="border-b px-5 py-4">
        <h2 className="font-semibold">{t('devices.title')}</h2>
        <p className="text-sm text-muted">{t('devices.lead')}</p>
      </div>
      {waiting && able.data === false && (
        <div className="px-5 pt-4">
          <Notice tone="warning">{t('devices.cannotApprove')}</Notice>
        </div>
      )}
      <ul className="divide-y">
        {list.map((device) => (
          <li key={device.deviceId}>
            <Row device={device} canApprove={able.data === true} />
          </li>
        ))}
      </ul>
      <p className="border-t px-5 py-3 text-sm text-muted">{t('devices.noHistory')}</p>
    </Card>
  );
}

function Row({ device, canApprove }: { readonly device: DeviceView; readonly canApprove: boolean }) {
  const { t } = useTranslation('settings');
  const { devices } = useDevice();
  const [asking, ask] = useState<'approve' | 'revoke'>();
  const close = () => ask(undefined);
  const revoke = useAction(async () => {
    await devices.revoke(device.deviceId);
    close();
  });
  return (
    <div className="flex flex-wrap items-center gap-3 px-5 py-3">
      <Laptop aria-hidden className="size-5 text-muted" />
      <div className="min-w-40 flex-1">
        <p className="flex flex-wrap items-center gap-2 font-medium">
          <bdi>{device.name}</bdi>
          {device.current && <Tag>{t('devices.current')}</Tag>}
          <Tag>{device.certified ? t('devices.certified') : t('devices.pending')}</Tag>
        </p>
        <p className="text-sm text-muted">{t('devices.added', { time: longTime(device.createdAt) })}</p>
      </div>
      {!device.certified && canApprove && (
        <Button size="small" variant="primary" onClick={() => ask('approve')}>
          {t('devices.approve')}
        </Button>
      )}
      {!device.current && (
        <Button size="small" variant="danger" onClick={() => ask('revoke')}>
          {t('devices.revoke')}
        </Button>
      )}
      {asking === 'approve' && <Approve device={device} onClose={close} />}
      <Confirm
        open={asking === 'revoke'}
        onClose={close}
        title={t('devices.revokeTitle', { name: device.name })}
        lead={t('devices.revokeLead')}
        action={t('devices.revoke')}
        busy={revoke.busy}
        onConfirm={() => revoke.run()}
      >
        {revoke.error !== undefined && <Notice tone="error">{explain(revoke.error)}</Notice>}
      </Confirm>
    </div>
  );
}

function Approve({ device, onClose }: { readonly device: DeviceView; readonly onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { devices } = useDevice();
  const approve = useAction(async (code: string) => {
    await devices.approve(device.deviceId, code);
    onClose();
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    approve.run(String(new FormData(event.currentTarget).get('code')));
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('devices.approveTitle', { name: device.name })}
      lead={t('devices.approveLead')}
      actions={
        <Button type="submit" form="approve-device" variant="primary" busy={approve.busy}>
          {t('devices.approve')}
        </Button>
      }
    >
      <form id="approve-device" onSubmit={submit} className="grid gap-3">
        <TextField label={t('devices.code')} name="code" required autoComplete="off" className="font-mono" />
        {approve.error !== undefined && <Notice tone="error">{explain(approve.error)}</Notice>}
      </form>
    </Dialog>
  );
}
