import type { Api } from '@parley/messenger';
import { authRoutes } from '@parley/protocol';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useId } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { hasPasskeys } from '../../client/has-passkeys.ts';
import { provePasskey } from '../../client/passkeys.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';

interface ReauthenticateProps {
  readonly api: Api;
  readonly hasPasskey: boolean;
  readonly onClose: () => void;
  readonly onProved: () => void;
}

/** Asks for the password or a passkey before something that opens the account to others (AC-3). */
export function Reauthenticate({ api, hasPasskey, onClose, onProved }: ReauthenticateProps) {
  const { t } = useTranslation(['settings', 'parts']);
  const id = useId();
  const byPassword = useAction(async (account_password: string) => {
    await api.call(authRoutes.reauthenticate, { body: { account_password } });
    onProved();
  });
  const byPasskey = useAction(async () => {
    if (await provePasskey(api)) onProved();
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    byPassword.run(String(new FormData(event.currentTarget).get('password')));
  };
  const error = byPassword.error ?? byPasskey.error;
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('reauthenticate.title')}
      lead={t('reauthenticate.lead')}
      actions={
        <>
          <Button onClick={onClose}>{t('parts:cancel')}</Button>
          {hasPasskey && hasPasskeys() && (
            <Button
              icon={<KeyRound aria-hidden className="size-4" />}
              busy={byPasskey.busy}
              onClick={() => byPasskey.run()}
            >
              {t('reauthenticate.passkey')}
            </Button>
          )}
          <Button type="submit" form={id} variant="primary" busy={byPassword.busy}>
            {t('reauthenticate.confirm')}
          </Button>
        </>
      }
    >
      <form id={id} onSubmit={submit} className="grid gap-3">
        <TextField
          label={t('reauthenticate.password')}
          name="password"
          type="password"
          autoComplete="current-password"
          required
        />
        {error !== undefined && <Notice tone="error">{explain(error)}</Notice>}
      </form>
    </Dialog>
  );
}
