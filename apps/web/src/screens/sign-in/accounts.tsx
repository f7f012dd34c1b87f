import { X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { knownAccounts } from '../../client/known-accounts.ts';
import { useReadable } from '../../client/provider.tsx';
import { IconButton } from '../../parts/button.tsx';
import { useAccountName } from './use-account-name.ts';

const ForgetAccount = lazy(async () => ({ default: (await import('./forget-account.tsx')).ForgetAccount }));

/** The accounts whose keys and messages are on this device: whoever signs in to one finds everything as it was. */
export function Accounts({ onChoose }: { readonly onChoose: (name: string) => void }) {
  const { t } = useTranslation('signIn');
  const accounts = useReadable(knownAccounts);
  const [forgetting, setForgetting] = useState<string>();
  const nameOf = useAccountName();
  if (accounts.length === 0) return null;
  return (
    <section aria-labelledby="accounts" className="grid gap-2 border-t pt-4">
      <h2 id="accounts" className="text-sm font-medium">
        {t('accounts.title')}
      </h2>
      <p className="text-sm text-muted">{t('accounts.lead')}</p>
      <ul className="grid gap-1">
        {accounts.map((account) => (
          <li key={account.accountId} className="flex items-center justify-between gap-2 rounded-lg bg-raised">
            <button
              type="button"
              onClick={() => onChoose(nameOf(account))}
              className="min-h-10 min-w-0 flex-1 truncate rounded-lg px-3 text-start text-sm hover:text-accent pointer-coarse:min-h-11"
            >
              <bdi>{nameOf(account)}</bdi>
            </button>
            <IconButton
              label={t('accounts.forgetLabel', { name: nameOf(account) })}
              onClick={() => setForgetting(account.accountId)}
            >
              <X aria-hidden className="size-4" />
            </IconButton>
          </li>
        ))}
      </ul>
      {forgetting !== undefined && (
        <Suspense>
          <ForgetAccount accountId={forgetting} onClose={() => setForgetting(undefined)} />
        </Suspense>
      )}
    </section>
  );
}
