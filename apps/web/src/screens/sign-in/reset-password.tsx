import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { MIN_PASSWORD } from './sign-up.tsx';
import { Welcome } from './welcome.tsx';
import { WhatIsLost } from './what-is-lost.tsx';

const HOME = '/app/';

/** The page of a link for a new password (AC-9). The code is behind the #, and leaves the address at once. */
export function ResetPasswordPage() {
  const { t } = useTranslation('signIn');
  const [code] = useState(() => location.hash.slice(1));
  const [endPasskeys, setEndPasskeys] = useState(true);
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    if (location.hash !== '') history.replaceState(history.state, '', location.pathname);
  }, []);
  const reset = useAction(async (password: string) => {
    await (await import('../../client/password-reset.ts')).resetPassword({ code, password, endPasskeys });
    setDone(true);
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    reset.run(String(new FormData(event.currentTarget).get('password')));
  };
  // A page that holds keys may be open in another tab: it loads anew, so that it notices that it was signed out.
  const toSignIn = (
    <Button variant={isDone ? 'primary' : 'quiet'} onClick={() => location.assign(HOME)}>
      {t(isDone ? 'submit' : 'backToSignIn')}
    </Button>
  );
  if (code === '' || isDone)
    return (
      <Welcome title={t('resetTitle')}>
        {isDone ? (
          <Notice tone="success" title={t('resetDone')}>
            {t('resetDoneLead')}
          </Notice>
        ) : (
          <Notice tone="warning">{t('resetNoCode')}</Notice>
        )}
        {toSignIn}
      </Welcome>
    );
  return (
    <Welcome title={t('resetTitle')}>
      <Notice title={t('resetKeys')}>{t('resetKeysLead')}</Notice>
      <form onSubmit={submit} className="grid gap-4">
        <TextField
          label={t('newPassword')}
          hint={t('resetHint')}
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={MIN_PASSWORD}
          required
        />
        <Checkbox
          label={t('resetPasskeys')}
          hint={t('resetPasskeysHint')}
          checked={endPasskeys}
          onChange={setEndPasskeys}
        />
        {reset.error !== undefined && <Notice tone="error">{explain(reset.error)}</Notice>}
        <Button type="submit" variant="primary" busy={reset.busy}>
          {t('resetSubmit')}
        </Button>
      </form>
      <WhatIsLost />
      {toSignIn}
    </Welcome>
  );
}
