import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { forgetAccount, lookAt } from '../../client/keys.ts';
import { findKnown } from '../../client/known-accounts.ts';
import { Button } from '../../parts/button.tsx';
import { Checkbox } from '../../parts/checkbox.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { useAccountName } from './use-account-name.ts';

/** Erases the keys and messages of an account that is signed out, after it was said what is lost (WC-3). */
export function ForgetAccount({ accountId, onClose }: { readonly accountId: string; readonly onClose: () => void }) {
  const { t } = useTranslation(['signIn', 'parts']);
  const nameOf = useAccountName();
  const [isSure, setSure] = useState(false);
  const [hasSecret, setHasSecret] = useState(false);
  const look = useAction(async () => setHasSecret((await lookAt(accountId))?.hasRecoverySecret === true));
  const forget = useAction(async () => {
    await forgetAccount(accountId);
    onClose();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => look.run(), []);
  const error = forget.error ?? look.error;
  return (
    <Dialog
      open
      stay
      onClose={onClose}
      title={t('accounts.forgetTitle', { name: nameOf(findKnown(accountId) ?? { accountId }) })}
      lead={t('accounts.forgetLead')}
      actions={
        <>
          <Button onClick={onClose}>{t('parts:cancel')}</Button>
          <Button variant="danger" disabled={!isSure || look.busy} busy={forget.busy} onClick={() => forget.run()}>
            {t('accounts.forget')}
          </Button>
        </>
      }
    >
      <Notice tone="warning" title={t('accounts.forgetLast')}>
        {t('accounts.forgetLastLead')}
      </Notice>
      {hasSecret && <Notice tone="warning">{t('accounts.forgetSecret')}</Notice>}
      <Checkbox label={t('accounts.forgetSure')} checked={isSure} onChange={setSure} />
      {error !== undefined && <Notice tone="error">{explain(error)}</Notice>}
    </Dialog>
  );
}
