import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useClient } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { TextArea, TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';

/** Lets the device in by the recovery secret (EE-17), or by a recovery file of the version before. */
export function Recover() {
  const { t } = useTranslation('signIn');
  const client = useClient();
  const [secret, setSecret] = useState('');
  const isFile = secret.trimStart().startsWith('{');
  const recover = useAction((passphrase: string) =>
    client.recover({ secret: secret.trim(), ...(isFile ? { passphrase } : {}) }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    recover.run(String(new FormData(event.currentTarget).get('passphrase') ?? ''));
  };
  return (
    <details>
      <summary className="cursor-pointer font-medium">{t('recovery')}</summary>
      <form onSubmit={submit} className="mt-3 grid gap-3">
        <p className="text-sm text-muted">{t('recoveryLead')}</p>
        <TextArea
          label={t('recoverySecret')}
          hint={isFile ? t('recoveryFile') : t('recoveryHint')}
          value={secret}
          onChange={({ target }) => setSecret(target.value)}
          rows={2}
          required
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          className="font-mono text-sm"
        />
        {isFile && <TextField label={t('passphrase')} name="passphrase" type="password" autoComplete="off" required />}
        <Notice tone="warning" title={isFile ? undefined : t('recoveryRemoves')}>
          {isFile ? t('recoveryFileLead') : t('recoveryRemovesLead')}
        </Notice>
        {recover.error !== undefined && <Notice tone="error">{explain(recover.error)}</Notice>}
        {recover.busy && <p role="status">{t('recovering')}</p>}
        <Button type="submit" variant="primary" busy={recover.busy}>
          {t('recover')}
        </Button>
      </form>
    </details>
  );
}
