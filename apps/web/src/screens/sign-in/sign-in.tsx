import { KeyRound } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { hasPasskeys } from '../../client/has-passkeys.ts';
import { useClient } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Forgotten } from './forgotten.tsx';
import { hideInvitation, invitationOfPage } from './invitation.ts';
import { SignUp } from './sign-up.tsx';
import { useSignUpRules } from './use-sign-up-rules.ts';
import { Welcome } from './welcome.tsx';

/** What people see who are not signed in: signing in, creating an account, or asking for a new password. */
export function SignIn() {
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
  return <Enter isClosed={isClosed} onCreate={() => setMode('create')} onForgotten={() => setMode('forgotten')} />;
}

interface EnterProps {
  readonly isClosed: boolean;
  readonly onCreate: () => void;
  readonly onForgotten: () => void;
}

function Enter({ isClosed, onCreate, onForgotten }: EnterProps) {
  const { t } = useTranslation('signIn');
  const client = useClient();
  const byPasskey = useAction(async () => (await import('../../client/passkeys.ts')).signInWithPasskey(client));
  const enter = useAction((fields: FormData) =>
    client.login({ email: String(fields.get('email')).trim(), account_password: String(fields.get('password')) }),
  );
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    enter.run(new FormData(event.currentTarget));
  };
  return (
    <Welcome title={t('title')} lead={t('lead')}>
      <form onSubmit={submit} className="grid gap-4">
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
    </Welcome>
  );
}
