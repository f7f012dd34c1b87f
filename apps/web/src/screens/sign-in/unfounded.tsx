import { useTranslation } from 'react-i18next';
import { explain } from '../../client/explain.ts';
import { useClient } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Notice } from '../../parts/notice.tsx';
import { useAction } from '../../parts/use-action.ts';
import { Welcome } from './welcome.tsx';

/**
 * The server says that the account has no device (EE-16). It could say so of an account that has one, to get other keys
 * into its place, so a person decides.
 */
export function Unfounded() {
  const { t } = useTranslation('signIn');
  const client = useClient();
  const begin = useAction(() => client.found());
  const leave = useAction(() => client.logout());
  return (
    <Welcome title={t('unfoundedTitle')} lead={t('unfoundedLead')}>
      <Notice tone="warning" title={t('unfoundedUsed')}>
        {t('unfoundedUsedLead')}
      </Notice>
      <p className="text-sm text-muted">{t('unfoundedNew')}</p>
      {begin.error !== undefined && <Notice tone="error">{explain(begin.error)}</Notice>}
      <Button variant="primary" busy={begin.busy} onClick={() => begin.run()}>
        {t('found')}
      </Button>
      <Button busy={leave.busy} onClick={() => leave.run()}>
        {t('signOut')}
      </Button>
      {leave.error !== undefined && <Notice tone="error">{explain(leave.error)}</Notice>}
    </Welcome>
  );
}
