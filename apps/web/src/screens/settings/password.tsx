import { authRoutes } from '@parley/protocol';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';

const MIN_PASSWORD = 10;

export function Password() {
  const { t } = useTranslation('settings');
  const { api } = useDevice();
  const [done, setDone] = useState(false);
  const change = useAction(async (form: HTMLFormElement) => {
    setDone(false);
    const data = new FormData(form);
    const body = { account_password: String(data.get('current')), new_password: String(data.get('next')) };
    await api.call(authRoutes.changePassword, { body });
    form.reset();
    setDone(true);
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.run(event.currentTarget);
  };
  return (
    <Card className="grid gap-4">
      <h2 className="font-semibold">{t('password.title')}</h2>
      <form onSubmit={submit} className="grid max-w-md gap-3">
        <TextField
          label={t('password.current')}
          name="current"
          type="password"
          autoComplete="current-password"
          required
        />
        <TextField
          label={t('password.next')}
          name="next"
          type="password"
          autoComplete="new-password"
          minLength={MIN_PASSWORD}
          required
        />
        {change.error !== undefined && <Notice tone="error">{explain(change.error)}</Notice>}
        {done && <Notice tone="success">{t('password.done')}</Notice>}
        <div>
          <Button type="submit" busy={change.busy}>
            {t('password.change')}
          </Button>
        </div>
      </form>
    </Card>
  );
}
