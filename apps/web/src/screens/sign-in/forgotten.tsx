import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Welcome } from './welcome.tsx';
import { WhatIsLost } from './what-is-lost.tsx';

interface ForgottenProps {
  /** Undefined until the server has answered. */
  readonly sendsEmail: boolean | undefined;
  readonly onBack: () => void;
}

/** Sends a link for a new password, or says whom to ask for one (AC-9). */
export function Forgotten({ sendsEmail, onBack }: ForgottenProps) {
  const { t } = useTranslation('signIn');
  const [isSent, setSent] = useState(false);
  const send = useAction(async (email: string) => {
    setSent(false);
    await (await import('../../client/password-reset.ts')).requestReset(email);
    setSent(true);
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    send.run(String(new FormData(event.currentTarget).get('email')).trim());
  };
  return (
    <Welcome title={t('forgottenTitle')} lead={sendsEmail === false ? undefined : t('forgottenLead')}>
      {sendsEmail === false ? (
        <Notice title={t('forgottenNoEmail')}>{t('forgottenNoEmailLead')}</Notice>
      ) : (
        <form onSubmit={submit} className="grid gap-4">
          <TextField label={t('email')} name="email" type="email" autoComplete="username" required />
          {isSent && <Notice tone="success">{t('forgottenSent')}</Notice>}
          {send.error !== undefined && <Notice tone="error">{explain(send.error)}</Notice>}
          <Button type="submit" variant="primary" busy={send.busy}>
            {t('forgottenSend')}
          </Button>
        </form>
      )}
      <WhatIsLost />
      <Button variant="quiet" onClick={onBack}>
        {t('backToSignIn')}
      </Button>
    </Welcome>
  );
}
