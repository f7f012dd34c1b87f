import type { FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useClient } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { TextArea, TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Welcome } from './welcome.tsx';

/** A new device waits until an old one, or the recovery secret, has certified it (EE-14). */
export function Waiting({ code }: { readonly code: string }) {
  const { t } = useTranslation('signIn');
  const client = useClient();
  const recover = useAction((secret: string, passphrase: string) => client.recover({ secret, passphrase }));
  const leave = useAction(() => client.logout());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    recover.run(String(form.get('secret')).trim(), String(form.get('passphrase')));
  };
  return (
    <Welcome title={t('waitingTitle')} lead={t('waitingLead')}>
      <div>
        <p className="text-sm text-muted">{t('waitingCode')}</p>
        <p className="font-mono text-xl tracking-wider break-all select-all">{code}</p>
      </div>
      <Notice>{t('noHistory')}</Notice>
      <details>
        <summary className="cursor-pointer font-medium">{t('recovery')}</summary>
        <form onSubmit={submit} className="mt-3 grid gap-3">
          <p className="text-sm text-muted">{t('recoveryLead')}</p>
          <TextArea label={t('recoverySecret')} name="secret" rows={3} required className="font-mono text-sm" />
          <TextField label={t('passphrase')} name="passphrase" type="password" autoComplete="off" required />
          {recover.error !== undefined && <Notice tone="error">{explain(recover.error)}</Notice>}
          {recover.busy && <p role="status">{t('recovering')}</p>}
          <Button type="submit" variant="primary" busy={recover.busy}>
            {t('recover')}
          </Button>
        </form>
      </details>
      <Button variant="quiet" busy={leave.busy} onClick={() => leave.run()}>
        {t('signOut')}
      </Button>
    </Welcome>
  );
}
