import { displayText } from '@parley/documents';
import { authRoutes, passkeyRoutes } from '@parley/protocol';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useDevice } from '../../client/provider.tsx';
import { longTime } from '../../i18n/time.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { ForgottenPassword } from './forgotten-password.tsx';
import { PASSKEYS_KEY } from './passkeys.tsx';

const MIN_PASSWORD = 10;

export function Password() {
  const { t } = useTranslation('settings');
  const { api } = useDevice();
  const queries = useQueryClient();
  const list = useQuery({ queryKey: PASSKEYS_KEY, queryFn: () => api.call(passkeyRoutes.listPasskeys) });
  const passkeys = list.data?.passkeys ?? [];
  const [done, setDone] = useState(false);
  /** Where the person decided otherwise: a passkey ends with the password unless this session began with it. */
  const [chosen, setChosen] = useState<Readonly<Record<string, boolean>>>({});
  const describeUse = (created: string, used: string | null) => {
    const added = t('passkeys.added', { time: longTime(created) });
    return `${added} · ${used === null ? t('passkeys.never') : t('passkeys.used', { time: longTime(used) })}`;
  };
  const ends = (id: string, current: boolean) => chosen[id] ?? !current;
  const change = useAction(async (form: HTMLFormElement) => {
    setDone(false);
    const data = new FormData(form);
    const kept = passkeys.filter(({ passkey_id, current = false }) => !ends(passkey_id, current));
    const body = {
      account_password: String(data.get('current')),
      new_password: String(data.get('next')),
      keep_passkeys: kept.map(({ passkey_id }) => passkey_id),
    };
    await api.call(authRoutes.changePassword, { body });
    for (const queryKey of [PASSKEYS_KEY, ['sessions'], ['notices']]) void queries.invalidateQueries({ queryKey });
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
        {list.error !== null && <Notice tone="error">{explain(list.error)}</Notice>}
        {passkeys.length > 0 && (
          <fieldset className="grid gap-2">
            <legend className="pb-1 text-sm font-medium">{t('password.passkeys')}</legend>
            <p className="text-sm text-muted">{t('password.passkeysLead')}</p>
            {passkeys.map(({ passkey_id, name, created_at, used_at, current = false }) => (
              <Checkbox
                key={passkey_id}
                label={displayText(name)}
                hint={describeUse(created_at, used_at)}
                checked={ends(passkey_id, current)}
                onChange={(checked) => setChosen({ ...chosen, [passkey_id]: checked })}
              />
            ))}
          </fieldset>
        )}
        {change.error !== undefined && <Notice tone="error">{explain(change.error)}</Notice>}
        {done && <Notice tone="success">{t('password.done')}</Notice>}
        <div>
          <Button type="submit" busy={change.busy} disabled={!list.isSuccess}>
            {t('password.change')}
          </Button>
        </div>
      </form>
      <ForgottenPassword />
    </Card>
  );
}
