import { authRoutes } from '@parley/protocol';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useApi } from '../../client/use-api.ts';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';

/** For whoever is signed in and does not know the password any more: changing it asks for the old one (WC-5). */
export function ForgottenPassword() {
  const { t } = useTranslation('settings');
  const api = useApi();
  const [outcome, setOutcome] = useState<'sent' | 'ask'>();
  const ask = useAction(async () => {
    const [{ sends_email }, { email }] = await Promise.all([api(authRoutes.getSignUp), api(authRoutes.me)]);
    if (sends_email) await api(authRoutes.requestPasswordReset, { body: { email } });
    setOutcome(sends_email ? 'sent' : 'ask');
  });
  return (
    <div className="grid max-w-md gap-3 border-t pt-4">
      <p className="text-sm text-muted">{t('lostPassword.lead')}</p>
      <div>
        <Button busy={ask.busy} onClick={() => ask.run()}>
          {t('lostPassword.request')}
        </Button>
      </div>
      {outcome !== undefined && (
        <Notice tone={outcome === 'sent' ? 'success' : 'info'}>{t(`lostPassword.${outcome}`)}</Notice>
      )}
      {ask.error !== undefined && <Notice tone="error">{explain(ask.error)}</Notice>}
    </div>
  );
}
