import type { DeviceView } from '@parley/client';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../../client/explain.ts';
import { useDevice } from '../../../client/provider.tsx';
import { Button } from '../../../parts/button.tsx';
import { Checkbox } from '../../../parts/checkbox.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { TextField } from '../../../parts/field.tsx';
import { Notice } from '../../../parts/notice.tsx';
import { useAction } from '../../../parts/use-action.ts';

/** Lets a device in whose code the person types (EE-16). */
export function ApproveDevice({ device, onClose }: { readonly device: DeviceView; readonly onClose: () => void }) {
  const { t } = useTranslation('settings');
  const { devices } = useDevice();
  const [keeper, setKeeper] = useState(true);
  const approve = useAction(async (code: string) => {
    await devices.approve(device.deviceId, code, { keeper });
    onClose();
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    approve.run(String(new FormData(event.currentTarget).get('code')).trim());
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
      <form id="approve-device" onSubmit={submit} className="grid gap-4">
        <TextField
          label={t('devices.code')}
          hint={t('devices.codeHint')}
          name="code"
          required
          autoComplete="off"
          inputMode="numeric"
          className="font-mono"
        />
        <Checkbox label={t('devices.keepToo')} hint={t('devices.keepTooHint')} checked={keeper} onChange={setKeeper} />
        {approve.error !== undefined && <Notice tone="error">{explain(approve.error)}</Notice>}
      </form>
    </Dialog>
  );
}
