import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type Leftover, openKeys, typedBefore } from '../../client/keys.ts';
import { findKnown, knownAccounts } from '../../client/known-accounts.ts';
import { useReadable } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { TypedTexts, typedIn, useChangesOf, useStayWithTyped } from './typed-texts.tsx';
import { useAccountName } from './use-account-name.ts';
import { Welcome } from './welcome.tsx';

/** Another tab has the keys now: nothing works here any more, and nothing that was typed is lost (WC-2). */
export function Lost() {
  const { t } = useTranslation('signIn');
  const leftovers = useReadable(typedBefore);
  return (
    <Welcome title={t('lost.title')} lead={t('lost.lead')} interrupts>
      {leftovers.map((left) => (
        <Unsent key={left.accountId} left={left} />
      ))}
      <Button variant="primary" onClick={() => void openKeys({ steal: true })}>
        {t('lost.use')}
      </Button>
    </Welcome>
  );
}

function Unsent({ left }: { readonly left: Leftover }) {
  const { t } = useTranslation('signIn');
  const id = useId();
  const nameOf = useAccountName();
  const isOneOfMany = useReadable(knownAccounts).length > 1;
  const { accountId, drafts, conversations } = left;
  useChangesOf(drafts);
  useStayWithTyped(drafts);
  const typed = typedIn(left);
  if (typed.length === 0) return null;
  const name = nameOf(findKnown(accountId) ?? { accountId });
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <div>
        <h2 id={id} className="font-medium">
          {isOneOfMany ? t('typed.of', { name }) : t('lost.unsent')}
        </h2>
        <p className="text-sm text-muted">{t('lost.unsentLead')}</p>
      </div>
      <TypedTexts texts={typed} conversations={conversations} />
    </section>
  );
}
