import { authRoutes } from '@parley/protocol';
import { type FormEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { useDraft } from '../../client/use-draft.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';

interface ChangeEmailProps {
  readonly onClose: () => void;
  readonly onChanged: () => Promise<void>;
}

/** Asks for the password, and for the code that was sent to the new address where the server sends e-mail (AC-10). */
export function ChangeEmail({ onClose, onChanged }: ChangeEmailProps) {
  const { t } = useTranslation(['settings', 'parts']);
  const id = useId();
  const api = useApi();
  const [email, setEmail, settle] = useDraft('form/email');
  const [isSent, setSent] = useState(false);
  const change = useAction(async (fields: FormData) => {
    const code = String(fields.get('code') ?? '').trim();
    const body = { email: email.trim(), account_password: String(fields.get('password')), ...(code && { code }) };
    const reply = await api(authRoutes.changeEmail, { body });
    setSent(reply.code_sent);
    if (reply.code_sent) return;
    settle(email);
    await onChanged();
    onClose();
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    change.run(new FormData(event.currentTarget));
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('profile.changeEmail')}
      lead={t('profile.changeEmailLead')}
      actions={
        <>
          <Button onClick={onClose}>{t('parts:cancel')}</Button>
          <Button type="submit" form={id} variant="primary" busy={change.busy}>
            {t('profile.change')}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} className="grid gap-3">
        <TextField
          label={t('profile.newEmail')}
          value={email}
          onChange={({ target }) => setEmail(target.value)}
          type="email"
          autoComplete="email"
          required
          readOnly={isSent}
        />
        <TextField
          label={t('profile.password')}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        {isSent && (
          <>
            <Notice>{t('profile.codeSent')}</Notice>
            <TextField
              label={t('profile.code')}
              name="code"
              inputMode="numeric"
              autoComplete="one-time-code"
              autoFocus
              required
            />
          </>
        )}
        {change.error !== undefined && <Notice tone="error">{explain(change.error)}</Notice>}
      </form>
    </Dialog>
  );
}
