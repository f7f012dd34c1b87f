import { PencilLine } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dropTyped, type Leftover, typedBefore } from '../../client/keys.ts';
import { findKnown } from '../../client/known-accounts.ts';
import { useReadable } from '../../client/provider.tsx';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TypedTexts, unsavedIn, useChangesOf, useStayWithTyped } from './typed-texts.tsx';
import { useAccountName } from './use-account-name.ts';

/** What another account typed in this tab, whose keys were taken: it is in no store until that one is back (WC-2). */
export function TypedBefore() {
  const leftovers = useReadable(typedBefore);
  return leftovers.map((leftover) => <OfAccount key={leftover.accountId} leftover={leftover} />);
}

function OfAccount({ leftover }: { readonly leftover: Leftover }) {
  const { t } = useTranslation('signIn');
  const nameOf = useAccountName();
  const { accountId, drafts, conversations } = leftover;
  useChangesOf(drafts);
  useStayWithTyped(drafts);
  const texts = unsavedIn(drafts);
  if (texts.length === 0) return null;
  const name = nameOf(findKnown(accountId) ?? { accountId });
  return (
    <TypedBar title={t('typed.of', { name })} lead={t('typed.ofLead', { name })} onDrop={() => dropTyped(leftover)}>
      <TypedTexts texts={texts} conversations={conversations} />
    </TypedBar>
  );
}

interface BarProps {
  readonly title: string;
  readonly lead: string;
  readonly onDrop: () => void;
  readonly children: ReactNode;
}

/** Stands above every page, and shows what was typed when asked. */
export function TypedBar({ title, lead, onDrop, children }: BarProps) {
  const { t } = useTranslation(['signIn', 'parts']);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <section
      aria-label={title}
      className="flex flex-wrap items-center gap-x-3 gap-y-2 bg-info-soft px-4 py-2 text-sm text-info"
    >
      <PencilLine aria-hidden className="size-4 shrink-0" />
      <p className="min-w-0 flex-1 break-words">{title}</p>
      <Button size="small" onClick={() => setOpen(true)}>
        {t('typed.show')}
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title={title}
        lead={lead}
        actions={
          <>
            <Button variant="danger" onClick={onDrop}>
              {t('typed.drop')}
            </Button>
            <Button onClick={close}>{t('parts:close')}</Button>
          </>
        }
      >
        {children}
      </Dialog>
    </section>
  );
}
