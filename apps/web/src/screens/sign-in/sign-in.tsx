import type { SignedOutReason } from '@parley/client';
import { KeyRound } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { hasPasskeys } from '../../client/has-passkeys.ts';
import { prepareKeys, signIn } from '../../client/keys.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Accounts } from './accounts.tsx';
import { Forgotten } from './forgotten.tsx';
import { hideInvitation, invitationOfPage } from './invitation.ts';
import { SignUp } from './sign-up.tsx';
import { useSignUpRules } from './use-sign-up-rules.ts';
import { Welcome } from './welcome.tsx';

/** What people see who are not signed in: signing in, creating an account, or asking for a new password. */
export function SignIn({ reason }: { readonly reason?: SignedOutReason | undefined }) {
  const [{ invitation, isSignUp }] = useState(invitationOfPage);
  const [mode, setMode] = useState<'enter' | 'create' | 'forgotten'>(isSignUp ? 'create' : 'enter');
  const { rules, role } = useSignUpRules(invitation);
  useEffect(() => {
    if (invitation !== undefined) hideInvitation(invitation);
  }, [invitation]);
  const back = () => setMode('enter');
  if (mode === 'create') return <SignUp invitation={invitation} rules={rules} role={role} onBack={back} />;
  if (mode === 'forgotten') return <Forgotten sendsEmail={rules?.sends_email} onBack={back} />;
  const isClosed = rules?.registration === 'closed' && role !== 'admin';
  return (
    <Enter
      reason={reason}
      isClosed={isClosed}
      onCreate={() => setMode('create')}
      onForgotten={() => setMode('forgotten')}
    />
  );
}

interface EnterProps {
  readonly reason: SignedOutReason | undefined;
  readonly isClosed: boolean;
  readonly onCreate: () => void;
  readonly onForgotten: () => void;
}

function Enter({ reason, isClosed, onCreate, onForgotten }: EnterProps) {
  const { t } = useTranslation('signIn');
  const byPasskey = useAction(async () => (await import('../../client/passkeys.ts')).signInWithPasskey());
  const enter = useAction((fields: FormData) =>
    signIn({ email: String(fields.get('email')).trim(), account_password: String(fields.get('password')) }),
  );
  const [chosen, setChosen] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  const choose = (name: string) => {
    setChosen(name);
    // Which address it has, only its owner knows.
    form.current?.querySelector('input')?.focus();
  };
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    enter.run(new FormData(event.currentTarget));
  };
  return (
    <Welcome title={chosen === undefined ? t('title') : t('accounts.signInAs', { name: chosen })} lead={t('lead')}>
      {reason !== undefined && (
        <Notice tone="warning" title={t(`signedOut.${reason}`)}>
          {t(`signedOut.${reason}Lead`)}
        </Notice>
      )}
      <form ref={form} onSubmit={submit} onInput={prepareKeys} className="grid gap-4">
        <TextField label={t('email')} name="email" type="email" autoComplete="username" required />
        <TextField label={t('password')} name="password" type="password" required autoComplete="current-password" />
        {enter.error !== undefined && <Notice tone="error">{explain(enter.error)}</Notice>}
        <Button type="submit" variant="primary" busy={enter.busy}>
          {t('submit')}
        </Button>
      </form>
      {hasPasskeys() && (
        <Button
          icon={<KeyRound aria-hidden className="size-4" />}
          busy={byPasskey.busy}
          onClick={() => byPasskey.run()}
        >
          {t('passkey')}
        </Button>
      )}
      {byPasskey.error !== undefined && <Notice tone="error">{explain(byPasskey.error)}</Notice>}
      <div className="grid gap-1">
        <Button variant="quiet" onClick={onForgotten}>
          {t('toForgotten')}
        </Button>
        {isClosed ? (
          <p className="px-4 text-center text-sm text-muted">{t('closed')}</p>
        ) : (
          <Button variant="quiet" onClick={onCreate}>
            {t('toCreate')}
          </Button>
        )}
      </div>
      <Accounts onChoose={choose} />
    </Welcome>
  );
}
