import { LifeBuoy } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useRecoverySecret } from '../client/use-devices.ts';
import { Button } from '../parts/button.tsx';

const RecoveryDialog = lazy(async () => ({ default: (await import('./recovery-dialog.tsx')).RecoveryDialog }));

/** It is shown above every page until the person has the recovery secret in a safe place. */
export function RecoveryBar() {
  const { t } = useTranslation('shell');
  const { secret, confirmSaved } = useRecoverySecret();
  const [isOpen, setOpen] = useState(false);
  if (secret === undefined || secret === null) return null;
  return (
    <section
      aria-label={t('recovery.title')}
      // Where the first steps ask for it, they say the same.
      className="recovery-bar flex flex-wrap items-center gap-x-3 gap-y-2 bg-info-soft px-4 py-2 text-sm text-info max-sm:py-1.5 max-sm:text-xs"
    >
      <LifeBuoy aria-hidden className="size-4 shrink-0" />
      <p className="min-w-0 flex-1">{t('recovery.bar')}</p>
      <Button size="small" onClick={() => setOpen(true)}>
        {t('recovery.show')}
      </Button>
      {isOpen && (
        <Suspense>
          <RecoveryDialog secret={secret} onSaved={confirmSaved} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </section>
  );
}
