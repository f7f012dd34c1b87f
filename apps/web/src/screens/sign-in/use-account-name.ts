import { displayText } from '@parley/documents';
import { useTranslation } from 'react-i18next';
import type { KnownAccount } from '../../client/known-accounts.ts';

const SHOWN = 8;

/** What an account is called on a screen. The ids of those that were made at the same time begin alike. */
export function useAccountName(): (account: Pick<KnownAccount, 'accountId' | 'name'>) => string {
  const { t } = useTranslation('signIn');
  return ({ accountId, name }) => displayText(name ?? t('accounts.unnamed', { id: accountId.slice(-SHOWN) }));
}
