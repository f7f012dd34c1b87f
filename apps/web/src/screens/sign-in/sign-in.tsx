import { KeyRound } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { hasPasskeys } from '../../client/has-passkeys.ts';
import { useClient } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Welcome } from './welcome.tsx';

const MIN_PASSWORD = 10;

export function SignIn() {
  const { t } = useTranslation('signIn');
  const client = useClient();
  const [isNew, setNew] = useState(false);
  const [needsCode, setNeedsCode] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  // Loaded on demand, because the first page does not need the client.
  const send = useAction(async (email: string) => (await import('../../client/send-code.ts')).sendCode(email));
  const byPasskey = useAction(async () => (await import('../../client/passkeys.ts')).signInWithPasskey(client));
  const enter = useAction(async (fields: FormData) => {
    const text = (name: string) => String(fields.get(name) ?? '');
    const credentials = { email: text('email').trim(), account_password: text('password') };
    if (!isNew) return client.login(credentials);
    const code = text('code').trim();
    const account = { ...credentials, display_name: text('name').trim(), ...(code === '' ? {} : { code }) };
    try {
      await client.register(account);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'CODE_INVALID' || code !== '') throw error;
      // This server sends e-mail and asks for proof that the address belongs to the person.
      setNeedsCode(true);
      send.run(credentials.email);
    }
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    enter.run(new FormData(event.currentTarget));
  };
  return (
    <Welcome title={isNew ? t('createTitle') : t('title')} lead={t('lead')}>
      <form ref={form} onSubmit={submit} className="grid gap-4">
        {isNew && (
          <TextField label={t('name')} hint={t('nameHint')} name="name" autoComplete="name" required maxLength={100} />
        )}
        <TextField label={t('email')} name="email" type="email" autoComplete="username" required />
        <TextField
          label={t('password')}
          name="password"
          type="password"
          required
          autoComplete={isNew ? 'new-password' : 'current-password'}
          {...(isNew ? { minLength: MIN_PASSWORD, hint: t('passwordHint') } : {})}
        />
        {isNew && needsCode && (
          <>
            <TextField label={t('code')} name="code" inputMode="numeric" autoComplete="one-time-code" required />
            {send.error === undefined && !send.busy && <Notice>{t('codeSent')}</Notice>}
            {send.error !== undefined && <Notice tone="error">{explain(send.error)}</Notice>}
            <Button
              size="small"
              busy={send.busy}
              onClick={() => send.run(String(new FormData(form.current!).get('email')).trim())}
            >
              {t('sendCode')}
            </Button>
          </>
        )}
        {enter.error !== undefined && <Notice tone="error">{explain(enter.error)}</Notice>}
        <Button type="submit" variant="primary" busy={enter.busy}>
          {isNew ? t('create') : t('submit')}
        </Button>
      </form>
      {!isNew && hasPasskeys() && (
        <Button
          icon={<KeyRound aria-hidden className="size-4" />}
          busy={byPasskey.busy}
          onClick={() => byPasskey.run()}
        >
          {t('passkey')}
        </Button>
      )}
      {byPasskey.error !== undefined && <Notice tone="error">{explain(byPasskey.error)}</Notice>}
      <Button variant="quiet" onClick={() => setNew(!isNew)}>
        {isNew ? t('toSignIn') : t('toCreate')}
      </Button>
    </Welcome>
  );
}
