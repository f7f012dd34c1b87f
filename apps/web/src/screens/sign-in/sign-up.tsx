import { type FormEvent, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { prepareKeys, register } from '../../client/keys.ts';
import type { SignUpRules } from '../../client/sign-up.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { readInvitation } from './invitation.ts';
import { Welcome } from './welcome.tsx';

export const MIN_PASSWORD = 10;

interface SignUpProps {
  /** From the link that the person opened. */
  readonly invitation: string | undefined;
  readonly rules: SignUpRules | undefined;
  readonly role: 'user' | 'admin' | null | undefined;
  readonly onBack: () => void;
}

export function SignUp({ invitation, rules, role, onBack }: SignUpProps) {
  const { t } = useTranslation('signIn');
  const [needsCode, setNeedsCode] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const send = useAction(async (email: string) => (await import('../../client/send-code.ts')).sendCode(email));
  const isRefused = role === null;
  const isClosed = rules?.registration === 'closed' && role !== 'admin';
  const asksInvitation = rules?.registration === 'invitation' && (invitation === undefined || isRefused);
  const create = useAction(async (fields: FormData) => {
    const text = (name: string) => String(fields.get(name) ?? '').trim();
    const code = text('code');
    // An invitation that no longer counts is in nobody's way where everyone may register.
    const given = asksInvitation ? readInvitation(text('invitation')) : isRefused ? undefined : invitation;
    const account = {
      email: text('email'),
      account_password: String(fields.get('password')),
      display_name: text('name'),
      ...(code === '' ? {} : { code }),
      ...(given === undefined ? {} : { invitation: given }),
    };
    try {
      await register(account);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'CODE_INVALID' || code !== '') throw error;
      // This server sends e-mail and asks for proof that the address belongs to the person.
      setNeedsCode(true);
      send.run(account.email);
    }
  });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    create.run(new FormData(event.currentTarget));
  };
  const toSignIn = (
    <Button variant="quiet" onClick={onBack}>
      {t('toSignIn')}
    </Button>
  );
  if (isClosed)
    return (
      <Welcome title={t('createTitle')} lead={t('lead')}>
        <Notice tone="warning">{t('closed')}</Notice>
        {toSignIn}
      </Welcome>
    );
  return (
    <Welcome title={t('createTitle')} lead={t('lead')}>
      {role === 'admin' && <Notice title={t('operator')}>{t('operatorLead')}</Notice>}
      {role === 'user' && <Notice tone="success">{t('invited')}</Notice>}
      {isRefused && <Notice tone="warning">{t(asksInvitation ? 'invitationOver' : 'invitationOverOpen')}</Notice>}
      <form ref={form} onSubmit={submit} onInput={prepareKeys} className="grid gap-4">
        {asksInvitation && (
          <TextField label={t('invitation')} hint={t('invitationHint')} name="invitation" autoComplete="off" required />
        )}
        <TextField label={t('name')} hint={t('nameHint')} name="name" autoComplete="name" required maxLength={100} />
        <TextField label={t('email')} name="email" type="email" autoComplete="username" required />
        <TextField
          label={t('password')}
          hint={t('passwordHint')}
          name="password"
          type="password"
          autoComplete="new-password"
          minLength={MIN_PASSWORD}
          required
        />
        {needsCode && (
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
        {create.error !== undefined && <Notice tone="error">{explain(create.error)}</Notice>}
        <Button type="submit" variant="primary" busy={create.busy}>
          {t('create')}
        </Button>
      </form>
      {toSignIn}
    </Welcome>
  );
}
