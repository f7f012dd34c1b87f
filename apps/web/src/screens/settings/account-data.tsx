import { authRoutes } from '@parley/protocol';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { forgetAccount } from '../../client/keys.ts';
import { useDevice } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { saveText } from '../../parts/save-text.ts';
import { useAction } from '../../parts/use-action.ts';

export function AccountData() {
  const { t } = useTranslation('settings');
  const { accountId, api } = useDevice();
  const [asking, setAsking] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const save = useAction(async () => {
    const data = await api.call(authRoutes.exportAccount);
    saveText('parley-account.json', JSON.stringify(data, null, 2), 'application/json');
  });
  const remove = useAction(async () => {
    const password = String(new FormData(form.current!).get('password'));
    await api.call(authRoutes.deleteAccount, { body: { account_password: password } });
    await forgetAccount(accountId);
  });
  return (
    <Card className="grid gap-3">
      <h2 className="font-semibold">{t('data.title')}</h2>
      <div className="flex flex-wrap gap-2">
        <Button busy={save.busy} onClick={() => save.run()}>
          {t('data.export')}
        </Button>
        <Button variant="danger" onClick={() => setAsking(true)}>
          {t('data.delete')}
        </Button>
      </div>
      {save.error !== undefined && <Notice tone="error">{explain(save.error)}</Notice>}
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={t('data.delete')}
        lead={t('data.deleteLead')}
        action={t('data.delete')}
        busy={remove.busy}
        onConfirm={() => remove.run()}
      >
        <form ref={form} onSubmit={(event) => event.preventDefault()} className="grid gap-3">
          <TextField
            label={t('data.confirm')}
            name="password"
            type="password"
            autoComplete="current-password"
            required
          />
          {remove.error !== undefined && <Notice tone="error">{explain(remove.error)}</Notice>}
        </form>
      </Confirm>
    </Card>
  );
}
